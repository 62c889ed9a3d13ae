package io.polytable.store.memory;

import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.Run;
import io.polytable.table.Bytes;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A point-in-time view of a partition's rows in a generation.
 *
 * @param newest the number of its newest row, the head of the partition's chain
 */
record PartitionRows(Generation generation, int table, Bytes partition, int newest) {
    /** Up to this many unsorted rows are sorted by each scan; more become a run that is kept. */
    private static final int UNSORTED_MAX = 32;

    /**
     * The sorted runs of a partition, oldest first, each at least twice as long as the next.
     *
     * @param covered the runs hold all rows with lower numbers
     */
    record Sorted(int covered, List<Run> runs) {
        static final Sorted NOTHING = new Sorted(0, List.of());

        long bytes() {
            return runs.stream().mapToLong(Run::bytes).sum();
        }
    }

    record Name(int table, Bytes partition) {}

    /** Sorted runs that together hold all its rows, each with only the newest row of a key; newest run first. */
    List<Run> sorted() {
        RowSorter sorter = new RowSorter(generation, partition.length(), RowSorter.NEWEST);
        Sorted known = generation.sorted(new Name(table, partition));
        if (known.covered() > newest + 1) {
            // Another scan sorted later rows too, and its runs may have dropped rows that this view shows.
            known = Sorted.NOTHING;
        }
        int[] unsorted = unsorted(known.covered());
        List<Run> newestFirst = new ArrayList<>();
        if (unsorted.length > UNSORTED_MAX) {
            known = extend(known, sorter, unsorted);
            generation.keep(new Name(table, partition.copy()), known);
        } else if (unsorted.length > 0) {
            newestFirst.add(sorter.sort(unsorted, 0, unsorted.length));
        }
        List<Run> runs = new ArrayList<>(known.runs());
        Collections.reverse(runs);
        newestFirst.addAll(runs);
        return newestFirst;
    }

    /** The spots of its rows with numbers from {@code from} on, in commit order. */
    private int[] unsorted(int from) {
        EncodedRow view = new EncodedRow();
        IntList newestFirst = new IntList();
        generation.rows().forEachBack(newest, from, (chunk, offset) -> {
            view.moveTo(chunk.bytes, offset);
            // Other partitions may share the chain.
            if (view.table() == table
                    && view.partitionLength() == partition.length()
                    && view.key().startsWith(partition)) {
                newestFirst.add(generation.spot(chunk, offset));
            }
        });
        int[] inOrder = new int[newestFirst.size()];
        for (int i = 0; i < inOrder.length; i++) {
            inOrder[i] = newestFirst.get(inOrder.length - 1 - i);
        }
        return inOrder;
    }

    private Sorted extend(Sorted known, RowSorter sorter, int[] unsorted) {
        List<Run> runs = new ArrayList<>(known.runs());
        Run last = sorter.sort(unsorted, 0, unsorted.length);
        while (!runs.isEmpty() && runs.get(runs.size() - 1).size() < 2 * last.size()) {
            last = sorter.merge(runs.remove(runs.size() - 1), last);
        }
        runs.add(last);
        return new Sorted(newest + 1, List.copyOf(runs));
    }
}
