package io.polytable.store.memory;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One table's range tombstones, immutable. Whatever an older tombstone hides, a newer one over the same keys hides too,
 * so only the newest per key is kept: tombstones are cut into fragments that do not overlap. The fragments are kept in
 * sorted runs of falling size. A new tombstone is its own run, and runs are merged while the last is at least half as
 * long as the one before it. Thus each fragment takes part in O(log n) merges, however many there are between two
 * generations, and a lookup is a binary search in each of O(log n) runs, however ranges overlap.
 */
final class RangeTombstones {
    static final RangeTombstones NONE = new RangeTombstones(List.of(), 0);

    private final List<Fragment[]> runs;
    private final long newestGeneration;

    private RangeTombstones(List<Fragment[]> runs, long newestGeneration) {
        this.runs = runs;
        this.newestGeneration = newestGeneration;
    }

    /** A key range and the newest tombstone that covers it; an empty end means unbounded. */
    private record Fragment(Bytes from, Bytes to, RangeTombstone newest) {
        private static final Comparator<Fragment> BY_START = Comparator.comparing(Fragment::from);
        private static final Comparator<Fragment> NEWEST_FIRST = Comparator.comparingLong(
                        (Fragment fragment) -> fragment.newest().address())
                .reversed();

        static Fragment of(RangeTombstone tombstone) {
            return new Fragment(tombstone.from(), tombstone.to(), tombstone);
        }

        boolean isEmpty() {
            return !to.isEmpty() && to.compareTo(from) <= 0;
        }

        boolean endsBy(Bytes key) {
            return !to.isEmpty() && to.compareTo(key) <= 0;
        }

        Fragment cut(Bytes start, Bytes end) {
            return new Fragment(start, end, newest);
        }

        boolean isFollowedBy(Fragment next) {
            return newest.address() == next.newest.address() && to.equals(next.from);
        }
    }

    /** Cuts overlapping fragments into sorted disjoint ones: a sweep over the keys where a fragment begins or ends. */
    private static Fragment[] disjoint(Stream<Fragment> overlapping) {
        List<Fragment> starts = overlapping
                .filter(fragment -> !fragment.isEmpty())
                .sorted(Fragment.BY_START)
                .toList();
        List<Bytes> bounds = starts.stream()
                .flatMap(fragment -> Stream.of(fragment.from(), fragment.to()))
                .filter(bound -> !bound.isEmpty())
                .sorted()
                .distinct()
                .toList();
        PriorityQueue<Fragment> open = new PriorityQueue<>(Fragment.NEWEST_FIRST);
        List<Fragment> cut = new ArrayList<>(starts.size());
        Bytes at = Bytes.EMPTY;
        int started = 0;
        for (int i = 0; i <= bounds.size(); i++) {
            for (; started < starts.size() && starts.get(started).from().compareTo(at) <= 0; started++) {
                open.add(starts.get(started));
            }
            while (!open.isEmpty() && open.peek().endsBy(at)) {
                open.remove();
            }
            Bytes next = i < bounds.size() ? bounds.get(i) : Bytes.EMPTY;
            if (!open.isEmpty()) {
                append(cut, open.peek().cut(at, next));
            }
            at = next;
        }
        return cut.toArray(Fragment[]::new);
    }

    private static void append(List<Fragment> cut, Fragment next) {
        int last = cut.size() - 1;
        if (last >= 0 && cut.get(last).isFollowedBy(next)) {
            cut.set(last, cut.get(last).cut(cut.get(last).from(), next.to()));
        } else {
            cut.add(next);
        }
    }

    static RangeTombstones of(List<RangeTombstone> tombstones) {
        return ofRun(disjoint(tombstones.stream().map(Fragment::of)));
    }

    private static RangeTombstones ofRun(Fragment[] run) {
        long newest = Arrays.stream(run)
                .mapToLong(fragment -> fragment.newest().generation())
                .max()
                .orElse(0);
        return run.length == 0 ? NONE : new RangeTombstones(List.<Fragment[]>of(run), newest);
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** The number of fragments. */
    int size() {
        return runs.stream().mapToInt(run -> run.length).sum();
    }

    /** Adds a tombstone, which must be newer than all others. */
    RangeTombstones plus(RangeTombstone tombstone) {
        Fragment added = Fragment.of(tombstone);
        if (added.isEmpty()) {
            return this;
        }
        int kept = runs.size();
        int merged = 1;
        while (kept > 0 && runs.get(kept - 1).length < 2 * merged) {
            merged += runs.get(--kept).length;
        }
        List<Fragment[]> next = new ArrayList<>(runs.subList(0, kept));
        next.add(disjoint(Stream.concat(all(runs.subList(kept, runs.size())), Stream.of(added))));
        return new RangeTombstones(next, tombstone.generation());
    }

    private static Stream<Fragment> all(List<Fragment[]> runs) {
        return runs.stream().flatMap(Arrays::stream);
    }

    /** @param gone if it holds for a tombstone, it must hold for all older ones of its range */
    RangeTombstones without(Predicate<RangeTombstone> gone) {
        List<Fragment> rest =
                all(runs).filter(fragment -> !gone.test(fragment.newest())).toList();
        return rest.size() == size() ? this : ofRun(disjoint(rest.stream()));
    }

    long bytes() {
        return all(runs).mapToLong(fragment -> fragment.newest().bytes()).sum();
    }

    /** Whether a later range delete covers the logged row at the address. */
    boolean hides(Bytes key, long address) {
        return any(key, tombstone -> tombstone.address() > address);
    }

    /** Whether a later range delete covers the row, logged or cached. */
    boolean hides(Bytes key, Chunk chunk, int offset) {
        return any(key, tombstone -> tombstone.isNewerThan(chunk, offset));
    }

    /** Whether a range delete may hide rows of the state, because its generation is not applied. */
    boolean mayHideState(long applied) {
        return newestGeneration > applied;
    }

    /** Whether a range delete of an unapplied generation covers the state's row. */
    boolean hidesState(Bytes key, long applied) {
        return any(key, tombstone -> tombstone.generation() > applied);
    }

    /**
     * A key range that one range delete covers.
     *
     * @param to empty means unbounded
     * @param address logged rows below it are older than the delete
     */
    record Stretch(Bytes from, Bytes to, long address) {}

    /** The range of the newest range delete that covers the key. Other deletes may cover parts of it as well. */
    Stretch around(Bytes key) {
        Fragment newest = null;
        for (Fragment[] run : runs) {
            int at = lastStartingAtOrBefore(run, key);
            boolean covers = at >= 0 && !run[at].endsBy(key);
            if (covers
                    && (newest == null
                            || newest.newest().address() < run[at].newest().address())) {
                newest = run[at];
            }
        }
        if (newest == null) {
            throw new IllegalArgumentException("No range delete covers the key");
        }
        return new Stretch(newest.from(), newest.to(), newest.newest().address());
    }

    /** @param condition if it holds for a tombstone, it must hold for all newer ones */
    private boolean any(Bytes key, Predicate<RangeTombstone> condition) {
        for (Fragment[] run : runs) {
            int at = lastStartingAtOrBefore(run, key);
            if (at >= 0 && !run[at].endsBy(key) && condition.test(run[at].newest())) {
                return true;
            }
        }
        return false;
    }

    private static int lastStartingAtOrBefore(Fragment[] run, Bytes key) {
        int low = 0;
        int high = run.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (run[middle].from().compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
