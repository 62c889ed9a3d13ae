package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.group.CellStamp;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.GroupWrites;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.RowChange;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Puts and deletes of columns of one group that are applied if a column of it is as expected. */
public record CheckedEdits(
        GroupCells cells, Bytes rowKey, RowChange.Check check, List<CellEdit.Put> puts, List<ColumnPlace> deletes) {
    /** The edits that a conditional write can apply together with its check. */
    public static CheckedEdits of(GroupCells cells, Bytes rowKey, RowChange.Check check, List<CellEdit> edits) {
        List<CellEdit.Put> puts = new ArrayList<>();
        List<ColumnPlace> deletes = new ArrayList<>();
        for (CellEdit edit : edits) {
            if (isTogether(check, edit)) {
                if (edit instanceof CellEdit.Put put) {
                    puts.add(put);
                } else if (edit instanceof CellEdit.DeleteColumn column) {
                    deletes.add(column.place());
                }
            }
        }
        return new CheckedEdits(cells, rowKey, check, puts, deletes);
    }

    /**
     * Whether a conditional write can apply the edit: a condition covers one partition, and a delete up to a time has
     * to read first.
     */
    public static boolean isTogether(RowChange.Check check, CellEdit edit) {
        String group = check.place().groupId();
        return edit instanceof CellEdit.DeleteColumn column
                ? column.place().groupId().equals(group) && column.upTo() == CellEdit.NOW
                : edit instanceof CellEdit.Put put && put.place().groupId().equals(group);
    }

    public CompletableFuture<Boolean> by(CheckedWrites checked, ConsistencyLevel level) {
        return checked.write(new CheckedWrites.Task(
                        cells,
                        rowKey,
                        check.place(),
                        level,
                        cells.isSingle() || deletes.contains(check.place()),
                        last -> new CheckedWrites.Found(
                                check.expected(),
                                0,
                                0,
                                last.map(CheckedWrites.Last::revision).orElse(null)),
                        found -> found.value().equals(check.expected())
                                ? current(checked).thenApply(wanted -> Optional.of(writes(found, wanted)))
                                : CompletableFuture.completedFuture(Optional.empty())))
                .thenApply(Optional::isPresent);
    }

    /**
     * The puts that no newer cell hides. In a group of one version a conditional write would replace a newer cell,
     * since its write time is not the cell's timestamp.
     */
    private CompletableFuture<List<CellEdit.Put>> current(CheckedWrites checked) {
        CompletableFuture<List<CellEdit.Put>> wanted = CompletableFuture.completedFuture(new ArrayList<>());
        for (CellEdit.Put put : puts) {
            boolean isPlain = put.timestamp() == CellEdit.NOW || !cells.isSingle();
            CompletableFuture<Boolean> isHidden = isPlain
                    ? CompletableFuture.completedFuture(false)
                    : checked.newest(cells, rowKey, put.place()).thenApply(found -> {
                        Row row = found.one();
                        return row != null && !row.isNull(0) && row.getLong(0) > put.timestamp();
                    });
            wanted = wanted.thenCombine(isHidden, (list, hidden) -> {
                if (!hidden) {
                    list.add(put);
                }
                return list;
            });
        }
        return wanted;
    }

    /** A cell of a conditional write; in a group of one version the timestamp does not distinguish cells. */
    private record Target(ColumnPlace place, long time) {}

    private record Stamped(CellEdit.Put put, CellStamp stamp) {}

    private CheckedWrites.Writes writes(CheckedWrites.Found found, List<CellEdit.Put> wanted) {
        // A conditional write has one write time, at which Cassandra keeps the larger of two values of a cell.
        Map<Target, Stamped> last = new LinkedHashMap<>();
        long micros = cells.clock().nextMicros();
        for (CellEdit.Put put : wanted) {
            CellStamp stamp = stamp(found, put, micros);
            if (!stamp.isOver()) {
                last.merge(
                        new Target(put.place(), cells.isSingle() ? 0 : stamp.time()),
                        new Stamped(put, stamp),
                        (old, next) -> next.stamp().time() >= old.stamp().time() ? next : old);
            }
        }
        List<BatchableStatement<?>> before = new ArrayList<>();
        List<BatchableStatement<?>> together = new ArrayList<>();
        last.values().forEach(cell -> {
            ColumnPlace place = cell.put().place();
            before.addAll(GroupWrites.timeEntry(cells, rowKey, place, cell.stamp()));
            together.add(GroupWrites.checkedPut(
                    cells, rowKey, place, cell.stamp(), cell.put().value()));
        });
        deletes.forEach(place -> together.add(GroupWrites.checkedDelete(cells, rowKey, place)));
        return new CheckedWrites.Writes(before, together, Optional.empty());
    }

    /**
     * The checked column's present version may be ahead of this clock, and would hide its replacement. Entries of index
     * tables get the current write time like the cell, even if the cell's timestamp is old, so that a delete in between
     * hides neither.
     */
    private CellStamp stamp(CheckedWrites.Found found, CellEdit.Put put, long micros) {
        boolean isNext = put.timestamp() == CellEdit.NOW && put.place().equals(check.place());
        return CellStamp.at(isNext ? found.nextTime(micros) : put.timestamp(), put.ttlMillis(), micros);
    }
}
