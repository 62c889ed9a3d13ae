package io.polytable.store.memory;

import io.polytable.store.memory.flat.IntList;
import io.polytable.store.memory.flat.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One table's rows in a generation as sorted runs. A scan sorts what no scan before it has sorted, and later scans
 * share the runs. Each run is at least twice as long as the next, so there are few, and a row is merged a logarithmic
 * number of times however writes and scans alternate.
 *
 * <p>While older snapshots are open, the runs also keep the rows that were a key's newest then.
 */
final class TableRuns {
    private final Generation generation;
    private final int table;
    private volatile Sorted sorted = new Sorted(0, List.of());

    /** Runs, oldest first, over the generation's first {@code covered} rows. */
    private record Sorted(int covered, List<Run> runs) {}

    TableRuns(Generation generation, int table) {
        this.generation = generation;
        this.table = table;
    }

    /**
     * Runs that contain all rows of the prefix, newest run first. They may contain later rows, which {@link RunSource}
     * hides. Callers must not keep them for long, since all scans share them.
     */
    List<Run> covering(Prefix prefix) {
        Sorted known = sorted;
        if (known.covered() < prefix.size()) {
            known = extend(prefix);
        }
        List<Run> newestFirst = new ArrayList<>(known.runs());
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    private synchronized Sorted extend(Prefix prefix) {
        Sorted known = sorted;
        if (known.covered() >= prefix.size()) {
            return known;
        }
        RowSorter sorter = new RowSorter(generation, Integer.MAX_VALUE, generation.oldestSnapshotEnd(prefix.end()));
        IntList added = generation.spotsOf(table, known.covered(), prefix.size());
        List<Run> runs = new ArrayList<>(known.runs());
        long before = bytes(runs);
        if (added.size() > 0) {
            Run last = sorter.sort(added.array(), 0, added.size());
            while (!runs.isEmpty() && runs.get(runs.size() - 1).size() < 2 * last.size()) {
                last = sorter.merge(runs.remove(runs.size() - 1), last);
            }
            runs.add(last);
        }
        Sorted next = new Sorted(prefix.size(), List.copyOf(runs));
        generation.countRuns(bytes(runs) - before);
        sorted = next;
        return next;
    }

    private static long bytes(List<Run> runs) {
        return runs.stream().mapToLong(Run::bytes).sum();
    }
}
