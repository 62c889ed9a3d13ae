package io.polytable.hbase.client;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.request.Edit;
import io.polytable.hbase.convert.Mutations;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * Mutations of one row that are applied atomically: collects their edits for one write, and assigns the write's cells
 * to them.
 */
final class RowGroup {
    private final List<Edit> edits = new ArrayList<>();
    private final Map<Edit.Delete, Integer> newestDeleted = new HashMap<>(0);
    private final Map<Column, Deque<Computed>> computed = new HashMap<>(0);
    private int mutations;
    private boolean returnsCells;

    /** An increment or append of the group. */
    private record Computed(int mutation, boolean returned) {}

    private record Column(Bytes family, Bytes qualifier) {}

    void add(ClientProtos.MutationProto mutation, List<Edit> own) {
        boolean returned = Mutations.returnsCells(mutation);
        returnsCells |= returned;
        Map<Edit.Delete, Integer> newest = new HashMap<>(0);
        for (Edit edit : own) {
            if (edit instanceof Edit.Delete delete && isOfNewest(delete)) {
                addNewest(delete, newest.merge(delete, 1, Integer::sum));
                continue;
            }
            edits.add(edit);
            if (edit instanceof Edit.Increment increment) {
                addComputed(increment.family(), increment.qualifier(), returned);
            } else if (edit instanceof Edit.Append append) {
                addComputed(append.family(), append.qualifier(), returned);
            }
        }
        mutations++;
    }

    private void addComputed(Bytes family, Bytes qualifier, boolean returned) {
        computed.computeIfAbsent(new Column(family, qualifier), column -> new ArrayDeque<>(1))
                .add(new Computed(mutations, returned));
    }

    private static boolean isOfNewest(Edit.Delete delete) {
        return delete.kind() == CellKind.DELETE_VERSION && delete.timestamp() == Cell.LATEST;
    }

    /**
     * Every mutation sees the row as it was before the group, so two that delete the newest version delete the same
     * one.
     */
    private void addNewest(Edit.Delete delete, int nthOfMutation) {
        if (newestDeleted.getOrDefault(delete, 0) < nthOfMutation) {
            newestDeleted.merge(delete, 1, Integer::sum);
            edits.add(delete);
        }
    }

    List<Edit> edits() {
        return edits;
    }

    boolean returnsCells() {
        return returnsCells;
    }

    /** The write's cells for the mutations that return them, in the order of mutations. */
    List<Cell> answered(List<Cell> cells) {
        List<List<Cell>> byMutation = new ArrayList<>();
        for (int i = 0; i < mutations; i++) {
            byMutation.add(new ArrayList<>(0));
        }
        for (Cell cell : cells) {
            Deque<Computed> open = computed.get(new Column(cell.family(), cell.qualifier()));
            Computed next = open == null ? null : open.poll();
            if (next != null && next.returned()) {
                byMutation.get(next.mutation()).add(cell);
            }
        }
        return byMutation.stream().flatMap(List::stream).toList();
    }
}
