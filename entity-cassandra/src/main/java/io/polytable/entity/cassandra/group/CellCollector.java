package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Failures;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.store.ColumnCut;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Collects a query's cells from the results, newest first, and removes surplus versions. */
final class CellCollector {
    private final GroupCells group;
    private final Bytes rowKey;
    private final ColumnQuery query;
    private final ColumnCut cut;
    private final List<StoredCell> cells = new ArrayList<>();
    private final int versionsMax;
    private final long oldest;
    private @Nullable String column;
    private int versions;

    CellCollector(GroupCells group, Bytes rowKey, ColumnQuery query) {
        this.group = group;
        this.rowKey = rowKey;
        this.query = query;
        cut = new ColumnCut(query);
        LocalityGroup layout = group.group();
        versionsMax = layout.maxVersions();
        boolean forever = layout.ttlSeconds() == LocalityGroup.FOREVER;
        oldest = forever ? 0 : group.clock().nowMillis() - TimeUnit.SECONDS.toMillis(layout.ttlSeconds());
    }

    boolean isDone() {
        return cut.isDone();
    }

    /** All that was taken so far, with what the statement finds. */
    CompletableFuture<List<StoredCell>> from(Cluster cluster, BoundStatement select) {
        return cluster.executeAsync(select).thenCompose(this::all);
    }

    private CompletableFuture<List<StoredCell>> all(AsyncResultSet page) {
        for (Row row : page.currentPage()) {
            take(row);
        }
        if (cut.isDone() || !page.hasMorePages()) {
            return CompletableFuture.completedFuture(cells);
        }
        return Failures.translated(page.fetchNextPage()).thenCompose(this::all);
    }

    private void take(Row row) {
        String qualifier = row.getString(0);
        ByteBuffer stamp = row.getBytesUnsafe(1);
        if (qualifier == null || cut.isDone() || stamp == null) {
            return;
        }
        // Undecoded: this is the driver's own thread, which handles all answers of a connection.
        long time = group.time(stamp.getLong(stamp.position()));
        versions = qualifier.equals(column) ? versions + 1 : 1;
        column = qualifier;
        if (versions > versionsMax) {
            if (versions == versionsMax + 1) {
                group.removeVersions(rowKey, query.familyId(), qualifier, time);
            }
            return;
        }
        if (time >= oldest && cut.next(qualifier, time) == ColumnCut.Verdict.TAKE) {
            Bytes value = cut.shown(Blobs.bytes(row.getBytesUnsafe(2)));
            cells.add(new StoredCell(query.familyId(), qualifier, time, value));
        }
    }
}
