package io.polytable.store.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One partition's rows in a generation, in order of commit; and, once somebody scanned it, the older ones of them as
 * sorted runs. A run is at least twice as long as the one behind it, so there are few, and a row is merged a logarithmic
 * number of times however writes and scans alternate.
 */
final class FreshPartition {
    /** So few unsorted rows are sorted anew by each scan; more become a run. */
    private static final int UNSORTED_MAX = 32;

    final long hash;
    private final int partitionLength;
    private final Places places = new Places();
    private volatile Runs runs = new Runs(0, List.of());

    /** Sorted runs, oldest first, over the first {@code covered} places. */
    private record Runs(int covered, List<Run> lists) {}

    FreshPartition(long hash, int partitionLength) {
        this.hash = hash;
        this.partitionLength = partitionLength;
    }

    void add(int place) {
        places.add(place);
    }

    /** What it holds now; under the append mutex. */
    Part part(Generation generation) {
        return new Part(generation, this, places.array(), places.size());
    }

    /** The partition as it was at one moment. */
    @SuppressWarnings("ArrayRecordComponent") // a handle on a list that only grows
    record Part(Generation generation, FreshPartition partition, int[] array, int size) {
        /** Sorted runs that together hold all its rows, each with a key's newest row only; newest run first. */
        List<Run> sorted() {
            RowSorter sorter = new RowSorter(generation, partition.partitionLength);
            Runs known = partition.runs;
            if (known.covered() > size) {
                // Another scan went further than this moment, and its runs may have dropped rows that are ours.
                return List.of(sorter.sort(array, 0, size));
            }
            if (size - known.covered() > UNSORTED_MAX) {
                known = extend(known, sorter);
                partition.runs = known;
            }
            List<Run> newestFirst = new ArrayList<>(known.lists());
            if (known.covered() < size) {
                newestFirst.add(sorter.sort(array, known.covered(), size));
            }
            Collections.reverse(newestFirst);
            return newestFirst;
        }

        private Runs extend(Runs known, RowSorter sorter) {
            List<Run> lists = new ArrayList<>(known.lists());
            Run last = sorter.sort(array, known.covered(), size);
            while (!lists.isEmpty() && lists.get(lists.size() - 1).size() < 2 * last.size()) {
                last = sorter.merge(lists.remove(lists.size() - 1), last);
            }
            lists.add(last);
            return new Runs(size, List.copyOf(lists));
        }
    }
}
