package io.polytable.redis.model.introspection;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;

/** Decides whether Redis would keep a list in one listpack, given {@code list-max-listpack-size}. */
final class PackedList {
    private PackedList() {}

    static boolean fits(Space space, CollectionHeader list, PackingLimits limits) {
        long bytesMax = limits.listBytesMax();
        // Every element takes at least two bytes, so a longer list need not be read.
        return list.size() <= Math.min(limits.listElementsMax(), bytesMax / 2)
                && bytes(space, list, bytesMax) <= bytesMax;
    }

    private static long bytes(Space space, CollectionHeader list, long bytesMax) {
        long bytes = Listpack.emptyBytes();
        try (Cursor rows = space.unit()
                .writes()
                .scan(
                        space.unit().tables().elements(list.home()),
                        ListShape.elements(list),
                        Direction.FORWARD,
                        list.size())) {
            while (bytes <= bytesMax && rows.next()) {
                bytes += Listpack.bytesOf(rows.value());
            }
        }
        return bytes;
    }
}
