package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Failures;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.filter.Qualifiers;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.table.Bytes;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * An index of a family's columns by time: a second table with the key (key, family, time, qualifier). A request for a
 * time range finds here which columns have cells of that time, and reads only those. Stale entries of deleted or
 * replaced cells may remain: the cells themselves decide.
 */
public final class TimeIndex {
    /** With more columns than this the whole family is read instead. */
    private static final int COLUMNS_MAX = 500;

    private final Cluster cluster;
    private final PreparedStatement insert;
    private final PreparedStatement select;
    private final PreparedStatement deleteRow;

    public TimeIndex(Cluster cluster, GroupTable table) {
        this.cluster = cluster;
        String name = fullName(table);
        insert = cluster.prepare("INSERT INTO " + name + " (key, family, time, qualifier)"
                + " VALUES (:key, :family, :time, :qualifier) USING TTL :ttl AND TIMESTAMP :at");
        select = cluster.prepare("SELECT qualifier FROM " + name
                + " WHERE key = :key AND family = :family AND time >= :min AND time <= :max");
        deleteRow = cluster.prepare("DELETE FROM " + name + " USING TIMESTAMP :at WHERE key = :key");
    }

    public static String create(GroupTable table, LocalityGroup group) {
        return "CREATE TABLE IF NOT EXISTS " + fullName(table) + " (key blob, family text, time bigint, qualifier text,"
                + " PRIMARY KEY ((key), family, time, qualifier))"
                + " WITH CLUSTERING ORDER BY (family ASC, time DESC, qualifier ASC)"
                + " AND default_time_to_live = " + GroupTable.ttlSeconds(group);
    }

    public static String alter(GroupTable table, LocalityGroup group) {
        return "ALTER TABLE " + fullName(table) + " WITH default_time_to_live = " + GroupTable.ttlSeconds(group);
    }

    private static String fullName(GroupTable table) {
        return Names.quoted(table.keyspace()) + "." + Names.quoted(Names.byTime(table.name()));
    }

    BoundStatement insert(GroupCells cells, Bytes rowKey, ColumnPlace place, CellStamp stamp) {
        BoundStatement bound = insert.bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", place.familyId())
                .setLong("time", stamp.time())
                .setString("qualifier", place.qualifier())
                .setLong("at", stamp.at());
        return stamp.limitEntry(bound).setConsistencyLevel(cells.consistency()).setIdempotent(true);
    }

    public BoundStatement deleteRow(GroupCells cells, Bytes rowKey, long at) {
        return deleteRow
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setLong("at", at)
                .setConsistencyLevel(cells.consistency())
                .setIdempotent(true);
    }

    /** The columns that may have cells of the query's times; empty when there are too many. */
    CompletableFuture<Optional<NavigableSet<String>>> columns(Bytes rowKey, ColumnQuery query, ConsistencyLevel level) {
        long end = query.times().max();
        BoundStatement statement = select.bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", query.familyId())
                .setLong("min", query.times().min())
                .setLong("max", end == Long.MAX_VALUE ? end : end - 1)
                .setIdempotent(true)
                .setConsistencyLevel(level);
        return cluster.executeAsync(statement).thenCompose(page -> collect(page, new TreeSet<>(Qualifiers.ORDER)));
    }

    private static CompletableFuture<Optional<NavigableSet<String>>> collect(
            AsyncResultSet page, NavigableSet<String> found) {
        for (Row row : page.currentPage()) {
            found.add(String.valueOf(row.getString(0)));
            if (found.size() > COLUMNS_MAX) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
        }
        return page.hasMorePages()
                ? Failures.translated(page.fetchNextPage()).thenCompose(next -> collect(next, found))
                : CompletableFuture.completedFuture(Optional.of(found));
    }
}
