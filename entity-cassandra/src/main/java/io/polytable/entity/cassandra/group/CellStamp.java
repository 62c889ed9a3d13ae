package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import io.polytable.entity.cassandra.cluster.WriteClock;
import io.polytable.entity.store.CellEdit;
import java.util.concurrent.TimeUnit;

/**
 * The timestamp, write time and lifetime of a cell.
 *
 * @param time the cell's timestamp, in milliseconds
 * @param at Cassandra's write time, in microseconds
 * @param ttlMillis from the cell's timestamp on; {@link CellEdit#NO_TTL} for that of the group
 * @param now the writer's clock, in milliseconds
 */
public record CellStamp(long time, long at, long ttlMillis, long now) {
    /**
     * For a put into a group. A group of one version is resolved by write time, which must then be the cell's
     * timestamp.
     */
    public static CellStamp of(CellEdit.Put put, boolean single, long micros) {
        boolean isDated = put.timestamp() != CellEdit.NOW;
        return single && isDated
                ? new CellStamp(
                        put.timestamp(),
                        WriteClock.first(put.timestamp()),
                        put.ttlMillis(),
                        WriteClock.toMillis(micros))
                : at(put.timestamp(), put.ttlMillis(), micros);
    }

    /**
     * For a cell that is written now, whatever its timestamp.
     *
     * @param time the cell's timestamp, or {@link CellEdit#NOW}
     */
    public static CellStamp at(long time, long ttlMillis, long micros) {
        long now = WriteClock.toMillis(micros);
        return new CellStamp(time == CellEdit.NOW ? now : time, micros, ttlMillis, now);
    }

    /** Whether it expired before it was written. */
    public boolean isOver() {
        return ttlMillis != CellEdit.NO_TTL && leftMillis() <= 0;
    }

    private long leftMillis() {
        return Math.min(time, now + TimeUnit.SECONDS.toMillis(GroupTable.TTL_SECONDS_MAX)) + ttlMillis - now;
    }

    /** Sets {@code ttl}; Cassandra counts it from the write. */
    BoundStatement limit(BoundStatement statement) {
        return ttlMillis == CellEdit.NO_TTL ? statement : limited(statement, leftMillis());
    }

    /** Sets {@code ttl} of an index entry, which must not expire before an earlier cell of its column does. */
    BoundStatement limitEntry(BoundStatement statement) {
        return ttlMillis == CellEdit.NO_TTL ? statement : limited(statement, Math.max(ttlMillis, leftMillis()));
    }

    private static BoundStatement limited(BoundStatement statement, long millis) {
        long seconds = TimeUnit.MILLISECONDS.toSeconds(millis + 999);
        return statement.setInt("ttl", (int) Math.min(Math.max(1, seconds), GroupTable.TTL_SECONDS_MAX));
    }
}
