package io.polytable.entity.hbase;

import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.StoredCell;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/** The mutations of one row's change. Adjacent puts with the same time to live are merged. */
final class RowMutationPlan {
    private final byte[] row;
    private final List<Mutation> mutations = new ArrayList<>();
    private final List<ColumnPlace> counters = new ArrayList<>();
    private @Nullable Put open;
    private long openTtl;
    private boolean deletes;

    RowMutationPlan(Bytes rowKey) {
        row = rowKey.toByteArray();
    }

    byte[] row() {
        return row;
    }

    List<Mutation> mutations() {
        return mutations;
    }

    boolean hasCounters() {
        return !counters.isEmpty();
    }

    boolean hasDeletes() {
        return deletes;
    }

    void add(CellEdit edit) {
        if (edit instanceof CellEdit.Put put) {
            put(put);
            return;
        }
        open = null;
        if (edit instanceof CellEdit.Increment increment) {
            Increment one = new Increment(row)
                    .addColumn(
                            Names.family(increment.place().groupId()),
                            qualifier(increment.place()),
                            increment.amount());
            if (increment.ttlMillis() != CellEdit.NO_TTL) {
                one.setTTL(increment.ttlMillis());
            }
            mutations.add(one);
            counters.add(increment.place());
        } else if (edit instanceof CellEdit.DeleteRow whole) {
            addDelete(whole.upTo() == CellEdit.NOW ? new Delete(row) : new Delete(row, whole.upTo()));
        } else if (edit instanceof CellEdit.DeleteFamily family) {
            byte[] group = Names.family(family.groupId());
            addDelete(
                    family.upTo() == CellEdit.NOW
                            ? new Delete(row).addFamily(group)
                            : new Delete(row).addFamily(group, family.upTo()));
        } else if (edit instanceof CellEdit.DeleteColumn column) {
            byte[] group = Names.family(column.place().groupId());
            byte[] name = qualifier(column.place());
            addDelete(
                    column.upTo() == CellEdit.NOW
                            ? new Delete(row).addColumns(group, name)
                            : new Delete(row).addColumns(group, name, column.upTo()));
        } else if (edit instanceof CellEdit.DeleteCell cell) {
            byte[] group = Names.family(cell.place().groupId());
            byte[] name = qualifier(cell.place());
            addDelete(
                    cell.timestamp() == CellEdit.NOW
                            ? new Delete(row).addColumn(group, name)
                            : new Delete(row).addColumn(group, name, cell.timestamp()));
        }
    }

    private void addDelete(Delete delete) {
        mutations.add(delete);
        deletes = true;
    }

    private void put(CellEdit.Put put) {
        Put into = open;
        if (into == null || openTtl != put.ttlMillis()) {
            into = new Put(row);
            if (put.ttlMillis() != CellEdit.NO_TTL) {
                into.setTTL(put.ttlMillis());
            }
            mutations.add(into);
            open = into;
            openTtl = put.ttlMillis();
        }
        byte[] group = Names.family(put.place().groupId());
        byte[] value = put.value().toByteArray();
        if (put.timestamp() == CellEdit.NOW) {
            into.addColumn(group, qualifier(put.place()), value);
        } else {
            into.addColumn(group, qualifier(put.place()), put.timestamp(), value);
        }
    }

    static byte[] qualifier(ColumnPlace place) {
        return Names.qualifier(place.familyId(), place.qualifier());
    }

    /** The new cells of the increments, in their order. */
    List<StoredCell> counters(@Nullable Result result) {
        List<StoredCell> cells = new ArrayList<>();
        for (ColumnPlace place : counters) {
            Cell cell =
                    result == null ? null : result.getColumnLatestCell(Names.family(place.groupId()), qualifier(place));
            if (cell != null) {
                cells.add(new StoredCell(
                        place.familyId(), place.qualifier(), cell.getTimestamp(), Bytes.of(CellUtil.cloneValue(cell))));
            }
        }
        return cells;
    }
}
