package io.polytable.entity.cassandra.scan;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.cassandra.group.PartedKeys;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.layout.TableLayout;
import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The keys of an ordered table, one partition for each first byte, in order. A key stays when its entity is deleted: taking it
 * out could race with a put that brings the entity back. Scans leave out what has no cells.
 */
public final class KeyIndex {
    private final Cluster cluster;
    private final PreparedStatement insert;
    private final PreparedStatement from;
    private final PreparedStatement between;
    private final PreparedStatement parts;
    private final RecentKeys known = new RecentKeys();

    public KeyIndex(Cluster cluster, String keyspace, String table) {
        this.cluster = cluster;
        String name = fullName(keyspace, table);
        insert = cluster.prepare("INSERT INTO " + name + " (part, key) VALUES (?, ?)");
        from = cluster.prepare("SELECT key FROM " + name + " WHERE part = ? AND key >= ?");
        between = cluster.prepare("SELECT key FROM " + name + " WHERE part = ? AND key >= ? AND key < ?");
        parts = cluster.prepare("SELECT DISTINCT part FROM " + name);
    }

    public static boolean isWanted(TableLayout layout) {
        return layout.options().getOrDefault("ordered", "false").equals("true");
    }

    public static void create(Cluster cluster, String keyspace, String table) {
        cluster.define("CREATE TABLE IF NOT EXISTS " + fullName(keyspace, table)
                + " (part int, key blob, PRIMARY KEY ((part), key))");
    }

    public static void drop(Cluster cluster, String keyspace, String table) {
        cluster.define("DROP TABLE IF EXISTS " + fullName(keyspace, table));
    }

    private static String fullName(String keyspace, String table) {
        return Names.quoted(keyspace) + "." + Names.quoted(Names.keys(table));
    }

    /**
     * Sees that the key is in the index. It is written before the entity's cells, and not in a batch with them: Cassandra
     * refuses batches of several partitions that are larger than 50 kB.
     */
    public CompletableFuture<Void> add(Bytes key) {
        if (known.contains(key)) {
            return CompletableFuture.completedFuture(null);
        }
        BoundStatement statement =
                insert.bind(PartedKeys.part(key), Blobs.of(key)).setIdempotent(true);
        return cluster.executeAsync(statement).thenApply(done -> {
            known.add(key);
            return null;
        });
    }

    /** The keys of a range, in order, read as they are asked for, a page at a time. */
    Iterator<Bytes> keys(EntityRange range, int page) {
        return new PartedKeys(cluster, parts(range), part -> select(part, range).setPageSize(page));
    }

    /** The first bytes that there are in a range, in order. Most scans end in the first, so the others are asked for later. */
    private Iterator<Integer> parts(EntityRange range) {
        if (range.isEmpty()) {
            return Collections.emptyIterator();
        }
        return Stream.concat(
                        Stream.of(PartedKeys.first(range)), Stream.of(range).flatMap(this::later))
                .iterator();
    }

    private Stream<Integer> later(EntityRange range) {
        SortedSet<Integer> found = new TreeSet<>();
        int last = PartedKeys.last(range);
        if (PartedKeys.first(range) < last) {
            for (Row row : cluster.execute(parts.bind())) {
                int part = row.getInt(0);
                if (part > PartedKeys.first(range) && part <= last) {
                    found.add(part);
                }
            }
        }
        return found.stream();
    }

    private BoundStatement select(int part, EntityRange range) {
        ByteBuffer start = Blobs.of(range.from());
        return range.to().isEmpty() ? from.bind(part, start) : between.bind(part, start, Blobs.of(range.to()));
    }
}
