package io.polytable.entity.cassandra.scan;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.cassandra.group.PartitionedKeys;
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
 * The index of an ordered table's keys, one partition per first byte, in order. A key stays when its entity is deleted:
 * removing it could race with a put that recreates the entity. Scans skip keys without cells.
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

    public static String create(String keyspace, String table) {
        return "CREATE TABLE IF NOT EXISTS " + fullName(keyspace, table)
                + " (part int, key blob, PRIMARY KEY ((part), key))";
    }

    public static String drop(String keyspace, String table) {
        return "DROP TABLE IF EXISTS " + fullName(keyspace, table);
    }

    private static String fullName(String keyspace, String table) {
        return Names.quoted(keyspace) + "." + Names.quoted(Names.keys(table));
    }

    /**
     * Adds the key to the index if needed. It is written before the entity's cells, and not in a batch with them:
     * Cassandra refuses batches over several partitions that are larger than 50 kB.
     */
    public CompletableFuture<Void> add(Bytes key) {
        if (known.contains(key)) {
            return CompletableFuture.completedFuture(null);
        }
        BoundStatement statement =
                insert.bind(PartitionedKeys.part(key), Blobs.of(key)).setIdempotent(true);
        return cluster.executeAsync(statement).thenApply(done -> {
            known.add(key);
            return null;
        });
    }

    /** The keys of a range, in order, read on demand in pages. */
    Iterator<Bytes> keys(EntityRange range, int page) {
        return new PartitionedKeys(
                cluster, parts(range), part -> select(part, range).setPageSize(page));
    }

    /**
     * The existing first bytes in a range, in order. Most scans end in the first partition, so the others are looked up
     * later.
     */
    private Iterator<Integer> parts(EntityRange range) {
        if (range.isEmpty()) {
            return Collections.emptyIterator();
        }
        return Stream.concat(
                        Stream.of(PartitionedKeys.first(range)),
                        Stream.of(range).flatMap(this::later))
                .iterator();
    }

    private Stream<Integer> later(EntityRange range) {
        SortedSet<Integer> found = new TreeSet<>();
        int last = PartitionedKeys.last(range);
        if (PartitionedKeys.first(range) < last) {
            for (Row row : cluster.execute(parts.bind())) {
                int part = row.getInt(0);
                if (part > PartitionedKeys.first(range) && part <= last) {
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
