package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.group.CellStamp;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.GroupWrites;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.RowChange;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Puts of one group that are made if a column of it is as expected. */
public record CheckedPuts(GroupCells cells, Bytes rowKey, RowChange.Check check, List<CellEdit.Put> puts) {
    public CompletableFuture<Boolean> by(CheckedWrites checked, ConsistencyLevel level) {
        return checked.write(new CheckedWrites.Task(
                        cells,
                        rowKey,
                        check.place(),
                        level,
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
     * The puts that a newer cell does not hide. In a group of one version a conditional write would replace a newer cell, for
     * the cell's own time is not its write time there.
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

    private CheckedWrites.Writes writes(CheckedWrites.Found found, List<CellEdit.Put> wanted) {
        List<BatchableStatement<?>> before = new ArrayList<>();
        List<BatchableStatement<?>> together = new ArrayList<>();
        long micros = cells.clock().nextMicros();
        for (CellEdit.Put put : wanted) {
            CellStamp stamp = stamp(found, put, micros);
            if (!stamp.isOver()) {
                before.addAll(GroupWrites.timeEntry(cells, rowKey, put.place(), stamp));
                together.add(GroupWrites.checkedPut(cells, rowKey, put.place(), stamp, put.value()));
            }
        }
        return new CheckedWrites.Writes(before, together, Optional.empty());
    }

    /**
     * The checked column's version that was found may be ahead of this clock, and would hide the one that replaces it. Entries of
     * second tables are written now like the cell, also where the cell's own time is long ago: a delete since then hides neither.
     */
    private CellStamp stamp(CheckedWrites.Found found, CellEdit.Put put, long micros) {
        boolean isNext = put.timestamp() == CellEdit.NOW && put.place().equals(check.place());
        return CellStamp.at(isNext ? found.nextTime(micros) : put.timestamp(), put.ttlMillis(), micros);
    }
}
