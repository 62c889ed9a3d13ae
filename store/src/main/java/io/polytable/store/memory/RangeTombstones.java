package io.polytable.store.memory;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * One table's range tombstones, immutable, ordered by their first key. {@code reach[i]} is the largest end among the
 * first i + 1 of them (empty bytes: the very end), so that a look-up walks back only as far as one can still cover the key.
 */
final class RangeTombstones {
    static final RangeTombstones NONE = new RangeTombstones(List.of());

    private final RangeTombstone[] byStart;
    private final Bytes[] reach;

    private RangeTombstones(List<RangeTombstone> tombstones) {
        byStart = tombstones.toArray(RangeTombstone[]::new);
        Arrays.sort(byStart, Comparator.comparing(RangeTombstone::from));
        reach = new Bytes[byStart.length];
        for (int i = 0; i < byStart.length; i++) {
            Bytes end = byStart[i].to();
            Bytes before = i == 0 ? Bytes.of(new byte[1]) : reach[i - 1];
            reach[i] = end.isEmpty() || (!before.isEmpty() && end.compareTo(before) > 0) ? end : before;
        }
    }

    static RangeTombstones of(List<RangeTombstone> tombstones) {
        return tombstones.isEmpty() ? NONE : new RangeTombstones(tombstones);
    }

    boolean isEmpty() {
        return byStart.length == 0;
    }

    int size() {
        return byStart.length;
    }

    RangeTombstones plus(RangeTombstone tombstone) {
        List<RangeTombstone> more = new ArrayList<>(List.of(byStart));
        more.add(tombstone);
        return new RangeTombstones(more);
    }

    RangeTombstones without(Predicate<RangeTombstone> gone) {
        List<RangeTombstone> rest = new ArrayList<>(List.of(byStart));
        return rest.removeIf(gone) ? new RangeTombstones(rest) : this;
    }

    /** Whether a logged row at the address is deleted by a later range delete. */
    boolean hides(Bytes key, long address) {
        return any(key, tombstone -> tombstone.address() > address);
    }

    /** Whether a row, logged or cached, is deleted by a later range delete. */
    boolean hides(Bytes key, Chunk chunk, int offset) {
        return any(key, tombstone -> tombstone.isNewerThan(chunk, offset));
    }

    /** Whether a row of the state is deleted by a range delete of a generation beyond the one that is applied. */
    boolean hidesState(Bytes key, long applied) {
        return any(key, tombstone -> tombstone.generation() > applied);
    }

    private boolean any(Bytes key, Predicate<RangeTombstone> condition) {
        for (int i = lastStartingAtOrBefore(key); i >= 0; i--) {
            if (!reach[i].isEmpty() && reach[i].compareTo(key) <= 0) {
                return false;
            }
            if (byStart[i].covers(key) && condition.test(byStart[i])) {
                return true;
            }
        }
        return false;
    }

    private int lastStartingAtOrBefore(Bytes key) {
        int low = 0;
        int high = byStart.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (byStart[middle].from().compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    boolean covers(Bytes key) {
        return any(key, tombstone -> true);
    }

    /** Only those of generations beyond the one that is applied. */
    RangeTombstones pending(long applied) {
        return isEmpty() ? this : without(tombstone -> tombstone.generation() <= applied);
    }
}
