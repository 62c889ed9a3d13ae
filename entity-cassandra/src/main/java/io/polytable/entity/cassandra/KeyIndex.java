package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.layout.TableLayout;
import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The keys of an ordered table, one partition for each first byte, in order. A key stays when its entity is deleted: taking it
 * out could race with a put that brings the entity back. Scans leave out what has no cells.
 */
final class KeyIndex {
    private static final int PART_MAX = 255;

    private final Cluster cluster;
    private final PreparedStatement insert;
    private final PreparedStatement from;
    private final PreparedStatement between;
    private final PreparedStatement parts;

    KeyIndex(Cluster cluster, String keyspace, String table) {
        this.cluster = cluster;
        String name = fullName(keyspace, table);
        insert = cluster.prepare("INSERT INTO " + name + " (part, key) VALUES (?, ?)");
        from = cluster.prepare("SELECT key FROM " + name + " WHERE part = ? AND key >= ?");
        between = cluster.prepare("SELECT key FROM " + name + " WHERE part = ? AND key >= ? AND key < ?");
        parts = cluster.prepare("SELECT DISTINCT part FROM " + name);
    }

    static boolean isWanted(TableLayout layout) {
        return layout.options().getOrDefault("ordered", "false").equals("true");
    }

    static void create(Cluster cluster, String keyspace, String table) {
        cluster.define("CREATE TABLE IF NOT EXISTS " + fullName(keyspace, table)
                + " (part int, key blob, PRIMARY KEY ((part), key))");
    }

    static void drop(Cluster cluster, String keyspace, String table) {
        cluster.define("DROP TABLE IF EXISTS " + fullName(keyspace, table));
    }

    private static String fullName(String keyspace, String table) {
        return Names.quoted(keyspace) + "." + Names.quoted(Names.keys(table));
    }

    BoundStatement insert(Bytes key) {
        return insert.bind(part(key), Blobs.of(key)).setIdempotent(true);
    }

    private static int part(Bytes key) {
        return key.at(0) & 0xff;
    }

    /** The keys of a range, in order, read as they are asked for. */
    Iterator<Bytes> keys(EntityRange range) {
        Iterator<Integer> left = parts(range).iterator();
        return new Iterator<>() {
            private Iterator<Row> rows = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                while (!rows.hasNext() && left.hasNext()) {
                    rows = cluster.execute(select(left.next(), range)).iterator();
                }
                return rows.hasNext();
            }

            @Override
            public Bytes next() {
                return Blobs.bytes(rows.next().getByteBuffer(0));
            }
        };
    }

    /** The first bytes that there are in a range, in order. */
    private SortedSet<Integer> parts(EntityRange range) {
        SortedSet<Integer> found = new TreeSet<>();
        int first = range.from().isEmpty() ? 0 : part(range.from());
        int last = range.to().isEmpty() ? PART_MAX : part(range.to());
        if (!range.isEmpty()) {
            for (Row row : cluster.execute(parts.bind())) {
                int part = row.getInt(0);
                if (part >= first && part <= last) {
                    found.add(part);
                }
            }
        }
        return found;
    }

    private BoundStatement select(int part, EntityRange range) {
        ByteBuffer start = Blobs.of(range.from());
        return range.to().isEmpty() ? from.bind(part, start) : between.bind(part, start, Blobs.of(range.to()));
    }
}
