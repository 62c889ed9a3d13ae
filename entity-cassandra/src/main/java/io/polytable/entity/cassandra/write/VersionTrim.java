package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Removes surplus versions after a random sample of writes, one in twice as many as the group keeps: a column that is
 * written often and read rarely then has at most about three times as many. Random sampling needs no shared state.
 */
public final class VersionTrim {
    /** A group that keeps more is trimmed by reads only: searching for surplus versions would read too much. */
    private static final int VERSIONS_MAX = 4000;

    private final Cluster cluster;

    public VersionTrim(Cluster cluster) {
        this.cluster = cluster;
    }

    /** In the background; if it fails, a later write or read does it. */
    public void written(GroupCells cells, Bytes rowKey, ColumnPlace place) {
        int versions = cells.group().maxVersions();
        boolean isDue = !cells.isSingle()
                && versions <= VERSIONS_MAX
                && ThreadLocalRandom.current().nextInt(2 * versions) == 0;
        if (isDue) {
            BoundStatement surplus = cells.writes()
                    .surplus
                    .bind(Blobs.of(rowKey), place.familyId(), place.qualifier(), versions + 1)
                    .setPageSize(versions + 1)
                    .setConsistencyLevel(cells.consistency())
                    .setIdempotent(true);
            CompletableFuture<?> unused =
                    cluster.executeAsync(surplus).thenAccept(found -> trim(cells, rowKey, place, found));
        }
    }

    private static void trim(GroupCells cells, Bytes rowKey, ColumnPlace place, AsyncResultSet found) {
        int count = 0;
        for (Row row : found.currentPage()) {
            if (++count > cells.group().maxVersions()) {
                cells.removeVersions(rowKey, place.familyId(), place.qualifier(), row.getLong(0));
                return;
            }
        }
    }
}
