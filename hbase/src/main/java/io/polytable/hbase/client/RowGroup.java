package io.polytable.hbase.client;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.request.Edit;
import io.polytable.hbase.convert.Mutations;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * Mutations of one row that are applied atomically: collects their edits for one write, and assigns the write's cells
 * to them.
 */
final class RowGroup {
    private final List<Edit> edits = new ArrayList<>();
    private final List<Edit.Delete> newestDeleted = new ArrayList<>(0);
    private final List<Computed> computed = new ArrayList<>(0);
    private int mutations;
    private boolean returnsCells;

    /** An increment or append of the group. */
    private record Computed(int mutation, Bytes family, Bytes qualifier, boolean returned) {}

    void add(ClientProtos.MutationProto mutation, List<Edit> own) {
        boolean returned = Mutations.returnsCells(mutation);
        returnsCells |= returned;
        List<Edit.Delete> newest = new ArrayList<>(0);
        for (Edit edit : own) {
            if (edit instanceof Edit.Delete delete && isOfNewest(delete)) {
                newest.add(delete);
                addNewest(delete, Collections.frequency(newest, delete));
                continue;
            }
            edits.add(edit);
            if (edit instanceof Edit.Increment increment) {
                computed.add(new Computed(mutations, increment.family(), increment.qualifier(), returned));
            } else if (edit instanceof Edit.Append append) {
                computed.add(new Computed(mutations, append.family(), append.qualifier(), returned));
            }
        }
        mutations++;
    }

    private static boolean isOfNewest(Edit.Delete delete) {
        return delete.kind() == CellKind.DELETE_VERSION && delete.timestamp() == Cell.LATEST;
    }

    /**
     * Every mutation sees the row as it was before the group, so two that delete the newest version delete the same
     * one.
     */
    private void addNewest(Edit.Delete delete, int nthOfMutation) {
        if (Collections.frequency(newestDeleted, delete) < nthOfMutation) {
            newestDeleted.add(delete);
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
        List<Computed> open = new ArrayList<>(computed);
        for (Cell cell : cells) {
            for (int i = 0; i < open.size(); i++) {
                Computed next = open.get(i);
                if (next.family().equals(cell.family()) && next.qualifier().equals(cell.qualifier())) {
                    open.remove(i);
                    if (next.returned()) {
                        byMutation.get(next.mutation()).add(cell);
                    }
                    break;
                }
            }
        }
        return byMutation.stream().flatMap(List::stream).toList();
    }
}
