package io.polytable.store.memory;

import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.Run;
import io.polytable.table.Bytes;
import io.polytable.table.EncodedRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A partition's rows in a generation as they were at a moment.
 *
 * @param newest the number of the newest of them, from which the others are found
 */
record PartitionRows(Generation generation, int table, Bytes partition, int newest) {
    /** So few unsorted rows are sorted anew by each scan; more become a run. */
    private static final int UNSORTED_MAX = 32;

    /**
     * What scans have sorted of a partition so far: runs, oldest first, each at least twice as long as the one behind it.
     *
     * @param covered they hold all rows with lower numbers
     */
    record Sorted(int covered, List<Run> runs) {
        static final Sorted NOTHING = new Sorted(0, List.of());

        long bytes() {
            return runs.stream().mapToLong(Run::bytes).sum();
        }
    }

    /** Names a partition. */
    record Name(int table, Bytes partition) {}

    /** Sorted runs that together hold all its rows, each with a key's newest row only; newest run first. */
    List<Run> sorted() {
        RowSorter sorter = new RowSorter(generation, partition.length(), RowSorter.NEWEST);
        Sorted known = generation.sorted(new Name(table, partition));
        if (known.covered() > newest + 1) {
            // Another scan went further than this moment, and its runs may have dropped rows that are ours.
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

    /** The spots of its rows from a number on, in order of commit. */
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
