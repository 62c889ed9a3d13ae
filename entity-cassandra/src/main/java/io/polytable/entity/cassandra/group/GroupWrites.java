package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.List;

/**
 * The write statements of a group. All plain writes carry a write time from one clock, so they are idempotent and the
 * driver may retry them on another node.
 */
public final class GroupWrites {
    private GroupWrites() {}

    public static BoundStatement put(GroupCells cells, Bytes rowKey, ColumnPlace place, CellStamp stamp, Bytes value) {
        return insert(cells.writes().insert, cells, rowKey, place, stamp, value)
                .setLong("at", stamp.at())
                .setIdempotent(true);
    }

    /** Within a conditional batch, which has the write time of its condition. */
    public static BoundStatement checkedPut(
            GroupCells cells, Bytes rowKey, ColumnPlace place, CellStamp stamp, Bytes value) {
        return insert(cells.writes().insertChecked, cells, rowKey, place, stamp, value);
    }

    /** All versions of a column, as {@link #checkedPut}. */
    public static BoundStatement checkedDelete(GroupCells cells, Bytes rowKey, ColumnPlace place) {
        return cells.writes()
                .deleteChecked
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier())
                .setConsistencyLevel(cells.consistency());
    }

    private static BoundStatement insert(
            PreparedStatement statement,
            GroupCells cells,
            Bytes rowKey,
            ColumnPlace place,
            CellStamp stamp,
            Bytes value) {
        BoundStatement bound = statement
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier())
                .setLong("time", stamp.time())
                .setByteBuffer("value", Blobs.of(value))
                .setConsistencyLevel(cells.consistency());
        return stamp.limit(bound);
    }

    /** The cell's entry in the table by time; written with the cell, since both are in one partition. */
    public static List<BatchableStatement<?>> timeEntry(
            GroupCells cells, Bytes rowKey, ColumnPlace place, CellStamp stamp) {
        return cells.byTime()
                .<List<BatchableStatement<?>>>map(index -> List.of(index.insert(cells, rowKey, place, stamp)))
                .orElse(List.of());
    }

    /**
     * The cell's entry in the table by column; written before the cell. It expires with the cell, counted from the
     * cell's timestamp.
     *
     * @param time the cell's timestamp, or {@link CellEdit#NOW}
     */
    public static List<BatchableStatement<?>> columnEntry(
            GroupCells cells, Bytes rowKey, ColumnPlace place, long time, long ttlMillis) {
        CellStamp stamp = CellStamp.at(time, ttlMillis, cells.clock().nextMicros());
        return cells.byColumn()
                .<List<BatchableStatement<?>>>map(index -> List.of(index.insert(cells, rowKey, place, stamp)))
                .orElse(List.of());
    }

    /** Everything of a row, whenever it was written. */
    public static BoundStatement deleteRow(GroupCells cells, Bytes rowKey, long at) {
        return key(cells, cells.writes().deleteRow, rowKey, at);
    }

    public static BoundStatement deleteFamily(GroupCells cells, Bytes rowKey, String family, long at) {
        return key(cells, cells.writes().deleteFamily, rowKey, at).setString("family", family);
    }

    public static BoundStatement deleteColumn(GroupCells cells, Bytes rowKey, ColumnPlace place, long at) {
        return key(cells, cells.writes().deleteColumn, rowKey, at)
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier());
    }

    /** The versions of a column up to a time, of a group that keeps several. */
    public static BoundStatement deleteVersions(
            GroupCells cells, Bytes rowKey, String family, String qualifier, long upTo) {
        return key(cells, cells.writes().deleteVersions, rowKey, cells.clock().nextMicros())
                .setString("family", family)
                .setString("qualifier", qualifier)
                .setLong("time", upTo);
    }

    public static BoundStatement deleteCell(GroupCells cells, Bytes rowKey, ColumnPlace place, long time) {
        return key(cells, cells.writes().deleteCell, rowKey, cells.clock().nextMicros())
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier())
                .setLong("time", time);
    }

    private static BoundStatement key(GroupCells cells, PreparedStatement statement, Bytes rowKey, long at) {
        return statement
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setLong("at", at)
                .setConsistencyLevel(cells.consistency())
                .setIdempotent(true);
    }
}
