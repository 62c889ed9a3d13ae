package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Turns edits of a row into statements. Most need nothing but themselves; deletes up to a time in groups of several versions
 * first ask which columns there are, and a delete of the newest version which it is.
 */
final class EditPlan {
    private final Cluster cluster;
    private final Map<String, GroupCells> groups;

    EditPlan(Cluster cluster, Map<String, GroupCells> groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    GroupCells group(String id) {
        GroupCells found = groups.get(id);
        if (found == null) {
            throw new EntityException(EntityError.STALE_LAYOUT, "The locality group is gone", Map.of("group", id));
        }
        return found;
    }

    CompletableFuture<List<BatchableStatement<?>>> statements(Bytes rowKey, List<CellEdit> edits) {
        CompletableFuture<List<BatchableStatement<?>>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (CellEdit edit : edits) {
            all = all.thenCombine(of(rowKey, edit), (list, more) -> {
                list.addAll(more);
                return list;
            });
        }
        return all;
    }

    private CompletableFuture<List<BatchableStatement<?>>> of(Bytes rowKey, CellEdit edit) {
        long micros = WriteClock.nextMicros();
        if (edit instanceof CellEdit.Put put) {
            return one(GroupWrites.put(group(put.place().groupId()), rowKey, put, micros));
        }
        if (edit instanceof CellEdit.DeleteRow row) {
            CompletableFuture<List<BatchableStatement<?>>> all = CompletableFuture.completedFuture(new ArrayList<>());
            for (GroupCells cells : groups.values()) {
                all = all.thenCombine(deleteRow(cells, rowKey, row.upTo(), micros), (list, more) -> {
                    list.addAll(more);
                    return list;
                });
            }
            return all;
        }
        if (edit instanceof CellEdit.DeleteFamily family) {
            return deleteFamily(group(family.groupId()), rowKey, family, micros);
        }
        if (edit instanceof CellEdit.DeleteColumn column) {
            return one(deleteColumn(column.place(), rowKey, column.upTo(), micros));
        }
        if (edit instanceof CellEdit.DeleteCell cell) {
            return deleteCell(cell, rowKey);
        }
        throw new EntityException(EntityError.BAD_REQUEST, "An increment cannot be written with others");
    }

    private CompletableFuture<List<BatchableStatement<?>>> deleteRow(
            GroupCells cells, Bytes rowKey, long upTo, long micros) {
        if (upTo == CellEdit.NOW) {
            return one(GroupWrites.deleteRow(cells, rowKey, micros));
        }
        if (cells.isSingle()) {
            return one(GroupWrites.deleteRow(cells, rowKey, WriteClock.last(upTo)));
        }
        return cells.names(rowKey).thenApply(names -> {
            List<BatchableStatement<?>> deletes = new ArrayList<>();
            names.forEach(name -> deletes.add(GroupWrites.deleteVersions(cells, rowKey, name[0], name[1], upTo)));
            return deletes;
        });
    }

    private CompletableFuture<List<BatchableStatement<?>>> deleteFamily(
            GroupCells cells, Bytes rowKey, CellEdit.DeleteFamily family, long micros) {
        if (family.upTo() == CellEdit.NOW) {
            return one(GroupWrites.deleteFamily(cells, rowKey, family.familyId(), micros));
        }
        if (cells.isSingle()) {
            return one(GroupWrites.deleteFamily(cells, rowKey, family.familyId(), WriteClock.last(family.upTo())));
        }
        return cells.names(rowKey).thenApply(names -> {
            List<BatchableStatement<?>> deletes = new ArrayList<>();
            for (String[] name : names) {
                if (name[0].equals(family.familyId())) {
                    deletes.add(GroupWrites.deleteVersions(cells, rowKey, name[0], name[1], family.upTo()));
                }
            }
            return deletes;
        });
    }

    private BatchableStatement<?> deleteColumn(ColumnPlace place, Bytes rowKey, long upTo, long micros) {
        GroupCells cells = group(place.groupId());
        if (upTo != CellEdit.NOW && !cells.isSingle()) {
            return GroupWrites.deleteVersions(cells, rowKey, place.familyId(), place.qualifier(), upTo);
        }
        long at = upTo == CellEdit.NOW ? micros : WriteClock.last(upTo);
        return GroupWrites.deleteColumn(cells, rowKey, place.familyId(), place.qualifier(), at);
    }

    private CompletableFuture<List<BatchableStatement<?>>> deleteCell(CellEdit.DeleteCell cell, Bytes rowKey) {
        ColumnPlace place = cell.place();
        GroupCells cells = group(place.groupId());
        boolean newest = cell.timestamp() == CellEdit.NOW;
        if (!newest && !cells.isSingle()) {
            return one(GroupWrites.deleteCell(cells, rowKey, place, cell.timestamp()));
        }
        return cluster.executeAsync(cells.statements()
                        .newest
                        .bind(Blobs.of(rowKey), place.familyId(), place.qualifier())
                        .setConsistencyLevel(cells.consistency()))
                .thenApply(found -> {
                    Row row = found.one();
                    if (row == null || row.isNull(0) || (!newest && row.getLong(0) != cell.timestamp())) {
                        return List.of();
                    }
                    long time = row.getLong(0);
                    return List.of(
                            cells.isSingle()
                                    ? GroupWrites.deleteColumn(
                                            cells,
                                            rowKey,
                                            place.familyId(),
                                            place.qualifier(),
                                            newest ? WriteClock.nextMicros() : WriteClock.last(time))
                                    : GroupWrites.deleteCell(cells, rowKey, place, time));
                });
    }

    private static CompletableFuture<List<BatchableStatement<?>>> one(BatchableStatement<?> statement) {
        return CompletableFuture.completedFuture(List.of(statement));
    }
}
