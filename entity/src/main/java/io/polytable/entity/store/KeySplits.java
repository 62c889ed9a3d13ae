package io.polytable.entity.store;

import io.polytable.entity.key.EntityRange;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Splits a table's keys into equal ranges between its first and its last key, which is balanced if keys are hashed.
 */
public final class KeySplits {
    public static final int PARTITIONS_MAX = 10_000;

    private KeySplits() {}

    /** Refuses an invalid number of partitions. */
    public static void check(int wanted) {
        if (wanted < 1 || wanted > PARTITIONS_MAX) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a number of partitions", Map.of("wanted", wanted));
        }
    }

    /** At most so many parts; one when the table has no rows. */
    public static List<Partition> between(Optional<Bytes> first, Optional<Bytes> last, int wanted) {
        check(wanted);
        boolean hasRows = first.isPresent() && last.isPresent();
        return at(hasRows ? splits(first.get(), last.get(), wanted) : List.of());
    }

    /** The parts that begin at these keys, and the one before them. */
    public static List<Partition> at(List<Bytes> splits) {
        List<Partition> partitions = new ArrayList<>();
        Bytes from = Bytes.EMPTY;
        for (Bytes split : splits) {
            partitions.add(new Partition(new EntityRange(from, split), ""));
            from = split;
        }
        partitions.add(new Partition(new EntityRange(from, Bytes.EMPTY), ""));
        return partitions;
    }

    private static List<Bytes> splits(Bytes first, Bytes last, int wanted) {
        int common = 0;
        while (common < first.length() && common < last.length() && first.at(common) == last.at(common)) {
            common++;
        }
        // 48 bits after the common prefix: products with the number of partitions fit a long.
        long low = number(first, common);
        long high = number(last, common);
        List<Bytes> splits = new ArrayList<>();
        long previous = low;
        for (int i = 1; i < wanted; i++) {
            long at = low + (high - low) * i / wanted;
            if (at > previous) {
                Bytes tail = new BytesWriter().i64(at << Short.SIZE).toBytes().slice(0, 6);
                splits.add(last.slice(0, common).concat(tail));
                previous = at;
            }
        }
        return splits;
    }

    private static long number(Bytes key, int from) {
        long value = 0;
        for (int i = from; i < from + 6; i++) {
            value = value << Byte.SIZE | (i < key.length() ? key.at(i) & 0xff : 0);
        }
        return value;
    }
}
