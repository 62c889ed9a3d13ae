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
 * Removes versions beyond what a group keeps, after one in so many writes as it keeps twice: a column that is written often and
 * read seldom then has about three times as many at most. Chance decides, so that nothing has to be remembered or shared.
 */
public final class VersionTrim {
    /** A group that keeps more is trimmed by reads alone: looking for the surplus would read too much. */
    private static final int VERSIONS_MAX = 4000;

    private final Cluster cluster;

    public VersionTrim(Cluster cluster) {
        this.cluster = cluster;
    }

    /** In the background; when it fails, another write or read does it. */
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
