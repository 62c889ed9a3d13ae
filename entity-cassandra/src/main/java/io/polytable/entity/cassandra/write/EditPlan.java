package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.WriteClock;
import io.polytable.entity.cassandra.group.CellStamp;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.GroupWrites;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Translates edits of a row into statements. Most edits are one statement. Deletes up to a time first read which
 * columns exist, and a delete of the newest version reads its timestamp.
 */
public final class EditPlan {
    private final Cluster cluster;
    private final Map<String, GroupCells> groups;

    public EditPlan(Cluster cluster, Map<String, GroupCells> groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    public GroupCells group(String id) {
        GroupCells found = groups.get(id);
        if (found == null) {
            throw new EntityException(EntityError.STALE_LAYOUT, "The locality group is gone", Map.of("group", id));
        }
        return found;
    }

    /** The groups that an edit changes. */
    public Collection<GroupCells> groups(CellEdit edit) {
        if (edit instanceof CellEdit.DeleteRow) {
            return groups.values();
        }
        return List.of(group(groupId(edit)));
    }

    private static String groupId(CellEdit edit) {
        if (edit instanceof CellEdit.DeleteFamily family) {
            return family.groupId();
        }
        if (edit instanceof CellEdit.Put put) {
            return put.place().groupId();
        }
        if (edit instanceof CellEdit.DeleteColumn column) {
            return column.place().groupId();
        }
        if (edit instanceof CellEdit.DeleteCell cell) {
            return cell.place().groupId();
        }
        return ((CellEdit.Increment) edit).place().groupId();
    }

    /** The deletes of native counters, which Cassandra does not allow in a batch with other cells. */
    public List<Statement<?>> counterDeletes(Bytes rowKey, List<CellEdit> edits) {
        List<Statement<?>> deletes = new ArrayList<>();
        groups.forEach((id, cells) -> cells.counters()
                .ifPresent(counters -> edits.forEach(edit -> deletes.addAll(counters.deletes(rowKey, id, edit)))));
        return deletes;
    }

    public CompletableFuture<List<BatchableStatement<?>>> statements(Bytes rowKey, List<CellEdit> edits) {
        CompletableFuture<List<BatchableStatement<?>>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (CellEdit edit : edits) {
            all = joined(all, of(rowKey, edit));
        }
        return all;
    }

    private static CompletableFuture<List<BatchableStatement<?>>> joined(
            CompletableFuture<List<BatchableStatement<?>>> all, CompletableFuture<List<BatchableStatement<?>>> more) {
        return all.thenCombine(more, (list, next) -> {
            list.addAll(next);
            return list;
        });
    }

    private CompletableFuture<List<BatchableStatement<?>>> of(Bytes rowKey, CellEdit edit) {
        long micros = cluster.clock().nextMicros();
        if (edit instanceof CellEdit.Put put) {
            return CompletableFuture.completedFuture(put(rowKey, put, micros));
        }
        if (edit instanceof CellEdit.DeleteRow row) {
            CompletableFuture<List<BatchableStatement<?>>> all = CompletableFuture.completedFuture(new ArrayList<>());
            for (GroupCells cells : groups.values()) {
                if (cells.counters().isEmpty()) {
                    all = joined(all, deleteRow(cells, rowKey, row.upTo(), micros));
                }
            }
            return all;
        }
        if (edit instanceof CellEdit.DeleteFamily family) {
            GroupCells cells = group(family.groupId());
            return cells.counters().isPresent() ? none() : deleteFamily(cells, rowKey, family, micros);
        }
        if (edit instanceof CellEdit.DeleteColumn column) {
            GroupCells cells = group(column.place().groupId());
            return cells.counters().isPresent() ? none() : deleteColumn(cells, rowKey, column, micros);
        }
        if (edit instanceof CellEdit.DeleteCell cell) {
            return deleteCell(cell, rowKey);
        }
        throw new EntityException(EntityError.BAD_REQUEST, "An increment cannot be written with others");
    }

    private List<BatchableStatement<?>> put(Bytes rowKey, CellEdit.Put put, long micros) {
        GroupCells cells = group(put.place().groupId());
        CellStamp stamp = CellStamp.of(put, cells.isSingle(), micros);
        List<BatchableStatement<?>> statements = new ArrayList<>();
        if (!stamp.isOver()) {
            statements.addAll(GroupWrites.timeEntry(cells, rowKey, put.place(), stamp));
            statements.add(GroupWrites.put(cells, rowKey, put.place(), stamp, put.value()));
        }
        return statements;
    }

    private static CompletableFuture<List<BatchableStatement<?>>> deleteRow(
            GroupCells cells, Bytes rowKey, long upTo, long micros) {
        if (upTo == CellEdit.NOW) {
            List<BatchableStatement<?>> deletes = new ArrayList<>();
            deletes.add(GroupWrites.deleteRow(cells, rowKey, micros));
            cells.byTime().ifPresent(index -> deletes.add(index.deleteRow(cells, rowKey, micros)));
            return CompletableFuture.completedFuture(deletes);
        }
        if (cells.isSingle()) {
            BatchableStatement<?> all = GroupWrites.deleteRow(cells, rowKey, WriteClock.last(upTo));
            return withLate(all, cells, rowKey, upTo, place -> true);
        }
        return deleteVersions(cells, rowKey, upTo, place -> true);
    }

    private static CompletableFuture<List<BatchableStatement<?>>> deleteFamily(
            GroupCells cells, Bytes rowKey, CellEdit.DeleteFamily family, long micros) {
        if (family.upTo() == CellEdit.NOW) {
            return one(GroupWrites.deleteFamily(cells, rowKey, family.familyId(), micros));
        }
        Predicate<ColumnPlace> isOfFamily = place -> place.familyId().equals(family.familyId());
        if (cells.isSingle()) {
            BatchableStatement<?> all =
                    GroupWrites.deleteFamily(cells, rowKey, family.familyId(), WriteClock.last(family.upTo()));
            return withLate(all, cells, rowKey, family.upTo(), isOfFamily);
        }
        return deleteVersions(cells, rowKey, family.upTo(), isOfFamily);
    }

    private static CompletableFuture<List<BatchableStatement<?>>> deleteColumn(
            GroupCells cells, Bytes rowKey, CellEdit.DeleteColumn column, long micros) {
        ColumnPlace place = column.place();
        if (column.upTo() == CellEdit.NOW) {
            return one(GroupWrites.deleteColumn(cells, rowKey, place, micros));
        }
        if (cells.isSingle()) {
            BatchableStatement<?> all = GroupWrites.deleteColumn(cells, rowKey, place, WriteClock.last(column.upTo()));
            return withLate(all, cells, rowKey, column.upTo(), place::equals);
        }
        return one(GroupWrites.deleteVersions(cells, rowKey, place.familyId(), place.qualifier(), column.upTo()));
    }

    private static CompletableFuture<List<BatchableStatement<?>>> deleteVersions(
            GroupCells cells, Bytes rowKey, long upTo, Predicate<ColumnPlace> wanted) {
        return cells.names(rowKey).thenApply(names -> {
            List<BatchableStatement<?>> deletes = new ArrayList<>();
            names.stream()
                    .filter(wanted)
                    .forEach(name -> deletes.add(
                            GroupWrites.deleteVersions(cells, rowKey, name.familyId(), name.qualifier(), upTo)));
            return deletes;
        });
    }

    /**
     * The delete, plus one for each cell that it would miss: a conditional put has the write time of its condition,
     * which is later than the cell's timestamp.
     */
    private static CompletableFuture<List<BatchableStatement<?>>> withLate(
            BatchableStatement<?> delete, GroupCells cells, Bytes rowKey, long upTo, Predicate<ColumnPlace> wanted) {
        return cells.stamps(rowKey).thenApply(stamps -> {
            List<BatchableStatement<?>> deletes = new ArrayList<>();
            deletes.add(delete);
            for (GroupCells.Stamp stamp : stamps) {
                if (wanted.test(stamp.place()) && stamp.time() <= upTo && stamp.written() > WriteClock.last(upTo)) {
                    deletes.add(GroupWrites.deleteColumn(cells, rowKey, stamp.place(), stamp.written()));
                }
            }
            return deletes;
        });
    }

    private CompletableFuture<List<BatchableStatement<?>>> deleteCell(CellEdit.DeleteCell cell, Bytes rowKey) {
        ColumnPlace place = cell.place();
        GroupCells cells = group(place.groupId());
        boolean newest = cell.timestamp() == CellEdit.NOW;
        if (!newest && !cells.isSingle()) {
            return one(GroupWrites.deleteCell(cells, rowKey, place, cell.timestamp()));
        }
        cells.writes();
        return cluster.executeAsync(cells.newest(rowKey, place)).thenApply(found -> {
            Row row = found.one();
            if (row == null || row.isNull(0) || (!newest && row.getLong(0) != cell.timestamp())) {
                return List.of();
            }
            long time = row.getLong(0);
            return List.of(
                    cells.isSingle()
                            ? GroupWrites.deleteColumn(
                                    cells, rowKey, place, Math.max(WriteClock.last(time), row.getLong(2)))
                            : GroupWrites.deleteCell(cells, rowKey, place, time));
        });
    }

    private static CompletableFuture<List<BatchableStatement<?>>> one(BatchableStatement<?> statement) {
        return CompletableFuture.completedFuture(List.of(statement));
    }

    private static CompletableFuture<List<BatchableStatement<?>>> none() {
        return CompletableFuture.completedFuture(List.of());
    }
}
