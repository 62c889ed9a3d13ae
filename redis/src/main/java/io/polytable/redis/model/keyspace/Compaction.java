package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the rest of a set or hash to fresh rows when it has lost most of its elements. Each removed row leaves a
 * tombstone in the state until the store compacts it, and every scan or random pick in the collection would pass all of
 * them. The rows under the old id become garbage, as those of any replaced collection.
 *
 * <p>Many removals pay for one move, and a move copies few elements. The removal that moves them walks once over the
 * tombstones, which otherwise every reader would.
 */
public final class Compaction {
    /** A walk over fewer tombstones is quick. */
    static final long REMOVED_MIN = 1024;

    /** This many removals pay for moving one element. */
    static final int REMOVED_PER_ELEMENT = 8;

    static final long ELEMENTS_MAX = 16_384;
    private static final long BYTES_MAX = 4 << 20;

    private Compaction() {}

    /**
     * The header to put for a collection that has just lost elements: the given one, or one with fresh rows.
     *
     * @param left the header with the new size
     * @param removed the number of elements just lost
     */
    public static CollectionHeader after(
            Space space, Bytes key, CollectionHeader left, ElementKind kind, long removed) {
        Removals removals = space.unit().tables().removals();
        long gone = removals.add(left.id(), removed);
        if (gone < REMOVED_MIN
                || left.size() == 0
                || left.size() > ELEMENTS_MAX
                || gone / REMOVED_PER_ELEMENT < left.size()) {
            return left;
        }
        removals.forget(left.id());
        try {
            return move(space, key, left, kind);
        } catch (RedisError tooMuch) {
            // Replies to others hold the memory that the walk needs. Nothing was written yet, and the move is
            // optional.
            return left;
        }
    }

    private static CollectionHeader move(Space space, Bytes key, CollectionHeader left, ElementKind kind) {
        List<RingRow> rows = new ArrayList<>();
        long bytes = 0;
        Elements old = space.elements(left, kind);
        try (Cursor cursor = old.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                bytes += cursor.keySlice().length() + cursor.valueSlice().length();
                if (bytes > BYTES_MAX) {
                    return left;
                }
                rows.add(new RingRow(old.sub(cursor), cursor.value()));
            }
        }
        CollectionHeader fresh = space.newCollection(key, left.type());
        Elements elements = space.elements(fresh, kind);
        rows.forEach(row -> elements.put(row.sub(), row.value()));
        return fresh.withExpireAt(left.expireAt()).withSize(left.size()).withFields(left.fields());
    }
}
