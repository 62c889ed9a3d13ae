package io.polytable.redis.model.hash;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.RandomRows;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Random fields of a hash. */
public final class RandomFields {
    private final RandomRows rows;

    /** Asks for the source in each call, so that it may be thread-local. */
    public RandomFields(Supplier<? extends Random> randoms) {
        this.rows = new RandomRows(randoms);
    }

    public Optional<RingRow> one(Space space, Bytes key) {
        return Hashes.header(space, key).map(header -> rows.one(Hashes.elements(space, header), header.size()));
    }

    /** Picks {@code count} different fields, or answers all in their order when there are fewer. */
    public List<RingRow> distinct(Space space, Bytes key, long count) {
        Optional<CollectionHeader> header = Hashes.header(space, key);
        return header.isEmpty() ? List.of() : rows.distinct(header.get(), Hashes.elements(space, header.get()), count);
    }

    /** Makes exactly {@code count} independent picks. */
    public List<RingRow> repeating(Space space, Bytes key, long count) {
        Optional<CollectionHeader> header = Hashes.header(space, key);
        if (header.isEmpty()) {
            return List.of();
        }
        space.keep(RandomRows.bytesOf(count));
        return rows.repeating(Hashes.elements(space, header.get()), header.get().size(), count);
    }
}
