package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnCut;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The cells of one locality group: reads of a row. */
final class GroupCells {
    private final Cluster cluster;
    private final LocalityGroup group;
    private final GroupTable table;
    private final GroupStatements statements;
    private final ConsistencyLevel consistency;

    GroupCells(Cluster cluster, LocalityGroup group, GroupTable table) {
        this.cluster = cluster;
        this.group = group;
        this.table = table;
        statements = new GroupStatements(cluster, table);
        String wanted = group.options().get("consistency");
        consistency = wanted == null ? cluster.consistency() : Cluster.consistency(wanted);
    }

    GroupStatements statements() {
        return statements;
    }

    boolean isSingle() {
        return table.single();
    }

    ConsistencyLevel consistency() {
        return consistency;
    }

    CompletableFuture<List<StoredCell>> read(Bytes rowKey, ColumnQuery query) {
        if (query.qualifiers().isPresent() && query.qualifiers().get().isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        Taking taking = new Taking(rowKey, query);
        return cluster.executeAsync(select(rowKey, query)).thenCompose(page -> taking.all(page));
    }

    private BoundStatement select(Bytes rowKey, ColumnQuery query) {
        boolean newest = query.maxVersions() == 1
                && query.times().equals(CellTimes.ALL)
                && query.after().isEmpty();
        BoundStatement statement;
        if (query.qualifiers().isPresent()) {
            PreparedStatement columns = newest ? statements.newestOfColumns : statements.columns;
            statement = columns.bind()
                    .setList("qualifiers", List.copyOf(query.qualifiers().get()), String.class);
        } else if (query.after().isPresent()) {
            statement = statements
                    .familyFrom
                    .bind()
                    .setString("start", query.after().get().qualifier());
        } else {
            statement = (newest ? statements.newestOfFamily : statements.family).bind();
        }
        // A page of cells needs no more of them at a time; versions beyond the wanted ones come along.
        int fetched = query.limit() < 1000 ? Math.max(10, query.limit() * 2) : 5000;
        return statement
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", query.familyId())
                .setPageSize(fetched)
                .setIdempotent(true)
                .setConsistencyLevel(consistency);
    }

    /** Takes what a query wants of the cells that come, newest first, and removes versions beyond what the group keeps. */
    private final class Taking {
        private final Bytes rowKey;
        private final ColumnQuery query;
        private final ColumnCut cut;
        private final List<StoredCell> cells = new ArrayList<>();
        private final long oldest;
        private @Nullable String column;
        private int versions;

        Taking(Bytes rowKey, ColumnQuery query) {
            this.rowKey = rowKey;
            this.query = query;
            cut = new ColumnCut(query);
            boolean forever = group.ttlSeconds() == LocalityGroup.FOREVER;
            oldest = forever ? 0 : System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(group.ttlSeconds());
        }

        CompletableFuture<List<StoredCell>> all(AsyncResultSet page) {
            for (Row row : page.currentPage()) {
                take(row);
            }
            if (cut.isDone() || !page.hasMorePages()) {
                return CompletableFuture.completedFuture(cells);
            }
            return Failures.translated(page.fetchNextPage()).thenCompose(this::all);
        }

        private void take(Row row) {
            String qualifier = row.getString(1);
            if (qualifier == null || cut.isDone() || row.isNull(2)) {
                return;
            }
            long time = row.getLong(2);
            versions = qualifier.equals(column) ? versions + 1 : 1;
            column = qualifier;
            if (versions > group.maxVersions()) {
                if (versions == group.maxVersions() + 1) {
                    removeFrom(qualifier, time);
                }
                return;
            }
            if (time >= oldest && cut.next(qualifier, time) == ColumnCut.Verdict.TAKE) {
                Bytes value = cut.shown(Blobs.bytes(row.getByteBuffer(3)));
                cells.add(new StoredCell(query.familyId(), qualifier, time, value));
            }
        }

        /** In the background, and when it fails the next read tries again. */
        private void removeFrom(String qualifier, long time) {
            CompletableFuture<?> unused = cluster.executeAsync(
                    GroupWrites.deleteVersions(GroupCells.this, rowKey, query.familyId(), qualifier, time));
        }
    }

    /** The families and qualifiers that a row has. */
    CompletableFuture<List<String[]>> names(Bytes rowKey) {
        BoundStatement statement = statements.names.bind(Blobs.of(rowKey)).setConsistencyLevel(consistency);
        return cluster.executeAsync(statement).thenCompose(page -> names(page, new ArrayList<>()));
    }

    private static CompletableFuture<List<String[]>> names(AsyncResultSet page, List<String[]> found) {
        for (Row row : page.currentPage()) {
            String family = row.getString(0);
            String qualifier = row.getString(1);
            if (family != null && qualifier != null) {
                found.add(new String[] {family, qualifier});
            }
        }
        return page.hasMorePages()
                ? Failures.translated(page.fetchNextPage()).thenCompose(next -> names(next, found))
                : CompletableFuture.completedFuture(found);
    }
}
