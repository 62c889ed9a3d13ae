package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.concurrent.TimeUnit;

/** Statements that write cells of a group. All plain writes carry their time, from one clock. */
final class GroupWrites {
    private GroupWrites() {}

    static BoundStatement put(GroupCells cells, Bytes rowKey, CellEdit.Put put, long micros) {
        boolean now = put.timestamp() == CellEdit.NOW;
        long time = now ? WriteClock.toMillis(micros) : put.timestamp();
        // One version is kept by write time, which must then be the cell's own.
        long at = cells.isSingle() && !now ? WriteClock.first(time) : micros;
        return insert(cells.statements().insert, cells, rowKey, put.place(), time, put.value(), put.ttlMillis())
                .setLong("at", at)
                .setIdempotent(!now);
    }

    /** Within a conditional batch, which has the write time of its condition. */
    static BoundStatement checkedPut(
            GroupCells cells, Bytes rowKey, ColumnPlace place, long timestamp, Bytes value, long ttlMillis) {
        long time = timestamp == CellEdit.NOW ? WriteClock.toMillis(WriteClock.nextMicros()) : timestamp;
        return insert(cells.statements().insertChecked, cells, rowKey, place, time, value, ttlMillis);
    }

    private static BoundStatement insert(
            PreparedStatement statement,
            GroupCells cells,
            Bytes rowKey,
            ColumnPlace place,
            long time,
            Bytes value,
            long ttlMillis) {
        BoundStatement bound = statement
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier())
                .setLong("time", time)
                .setByteBuffer("value", Blobs.of(value))
                .setConsistencyLevel(cells.consistency());
        if (ttlMillis == CellEdit.NO_TTL) {
            return bound;
        }
        return bound.setInt("ttl", (int) Math.max(1, TimeUnit.MILLISECONDS.toSeconds(ttlMillis)));
    }

    /** Everything of a row, whenever it was written. */
    static BoundStatement deleteRow(GroupCells cells, Bytes rowKey, long at) {
        return key(cells, cells.statements().deleteRow, rowKey, at);
    }

    static BoundStatement deleteFamily(GroupCells cells, Bytes rowKey, String family, long at) {
        return key(cells, cells.statements().deleteFamily, rowKey, at).setString("family", family);
    }

    static BoundStatement deleteColumn(GroupCells cells, Bytes rowKey, String family, String qualifier, long at) {
        return key(cells, cells.statements().deleteColumn, rowKey, at)
                .setString("family", family)
                .setString("qualifier", qualifier);
    }

    /** The versions of a column up to a time, of a group that keeps several. */
    static BoundStatement deleteVersions(GroupCells cells, Bytes rowKey, String family, String qualifier, long upTo) {
        return key(cells, cells.statements().deleteVersions, rowKey, WriteClock.nextMicros())
                .setString("family", family)
                .setString("qualifier", qualifier)
                .setLong("time", upTo);
    }

    static BoundStatement deleteCell(GroupCells cells, Bytes rowKey, ColumnPlace place, long time) {
        return key(cells, cells.statements().deleteCell, rowKey, WriteClock.nextMicros())
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier())
                .setLong("time", time);
    }

    private static BoundStatement key(GroupCells cells, PreparedStatement statement, Bytes rowKey, long at) {
        return statement
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setLong("at", at)
                .setConsistencyLevel(cells.consistency());
    }
}
