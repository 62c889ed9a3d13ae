package io.polytable.redis.model.set;

import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Compaction;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.RandomRows;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Random members of a set, picked or popped. */
public final class RandomMembers {
    private static final KeyEvent SPOP = Sets.event("spop");

    private final RandomRows rows;

    /** Asks for the source in each call, so that it may be thread-local. */
    public RandomMembers(Supplier<? extends Random> randoms) {
        this.rows = new RandomRows(randoms);
    }

    public Optional<Bytes> one(Space space, Bytes key) {
        return Sets.header(space, key)
                .map(header -> rows.one(Sets.rows(space, header), header.size()).sub());
    }

    /** Picks {@code count} different members, or answers all in their order when there are fewer. */
    public List<Bytes> distinct(Space space, Bytes key, long count) {
        Optional<CollectionHeader> header = Sets.header(space, key);
        return header.isEmpty() ? List.of() : distinct(space, header.get(), count);
    }

    private List<Bytes> distinct(Space space, CollectionHeader header, long count) {
        Elements members = Sets.rows(space, header);
        return count >= header.size() ? SetForm.members(header, members) : subs(rows.distinct(header, members, count));
    }

    /** Makes exactly {@code count} independent picks. */
    public List<Bytes> repeating(Space space, Bytes key, long count) {
        Optional<CollectionHeader> header = Sets.header(space, key);
        if (header.isEmpty()) {
            return List.of();
        }
        space.keep(RandomRows.bytesOf(count));
        return subs(rows.repeating(Sets.rows(space, header.get()), header.get().size(), count));
    }

    /** Removes and answers {@code count} members, or all when there are fewer; then the key goes too. */
    public List<Bytes> pop(Space space, Bytes key, long count) {
        Optional<CollectionHeader> present = Sets.header(space, key);
        if (present.isEmpty() || count == 0) {
            return List.of();
        }
        CollectionHeader header = present.get();
        if (count >= header.size()) {
            List<Bytes> all = SetForm.members(header, Sets.rows(space, header));
            space.changed(key, SPOP);
            boolean unusedWasThere = space.remove(key);
            return all;
        }
        Elements members = Sets.rows(space, header);
        List<Bytes> taken;
        if (count == 1) {
            taken = List.of(rows.pop(members, header.size()));
        } else {
            taken = distinct(space, header, count);
            taken.forEach(members::delete);
        }
        space.changed(key, SPOP);
        CollectionHeader left = members.without(header, taken);
        space.put(key, Compaction.after(space, key, left, ElementKind.SET_MEMBER, taken.size()));
        return taken;
    }

    private static List<Bytes> subs(List<RingRow> rows) {
        return rows.stream().map(RingRow::sub).toList();
    }
}
