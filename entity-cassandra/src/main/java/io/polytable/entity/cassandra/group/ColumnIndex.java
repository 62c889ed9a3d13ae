package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.Iterator;
import java.util.stream.IntStream;

/**
 * An index of keys by column: a second table whose key starts with the column. A scan of named columns visits only
 * these entities, in key order whatever the table's own order. Stale entries of deleted cells may remain: the cells
 * themselves decide.
 */
public final class ColumnIndex {
    private final Cluster cluster;
    private final PreparedStatement insert;
    private final PreparedStatement from;
    private final PreparedStatement between;

    public ColumnIndex(Cluster cluster, GroupTable table) {
        this.cluster = cluster;
        String name = fullName(table);
        insert = cluster.prepare("INSERT INTO " + name + " (family, qualifier, part, key)"
                + " VALUES (:family, :qualifier, :part, :key) USING TTL :ttl AND TIMESTAMP :at");
        String select = "SELECT key FROM " + name
                + " WHERE family = :family AND qualifier = :qualifier AND part = :part AND key >= :start";
        from = cluster.prepare(select);
        between = cluster.prepare(select + " AND key < :stop");
    }

    public static String create(GroupTable table, LocalityGroup group) {
        return "CREATE TABLE IF NOT EXISTS " + fullName(table) + " (family text, qualifier text, part int, key blob,"
                + " PRIMARY KEY ((family, qualifier, part), key))"
                + " WITH default_time_to_live = " + GroupTable.ttlSeconds(group);
    }

    public static String alter(GroupTable table, LocalityGroup group) {
        return "ALTER TABLE " + fullName(table) + " WITH default_time_to_live = " + GroupTable.ttlSeconds(group);
    }

    private static String fullName(GroupTable table) {
        return Names.quoted(table.keyspace()) + "." + Names.quoted(Names.byColumn(table.name()));
    }

    BoundStatement insert(GroupCells cells, Bytes rowKey, ColumnPlace place, CellStamp stamp) {
        BoundStatement bound = insert.bind()
                .setString("family", place.familyId())
                .setString("qualifier", place.qualifier())
                .setInt("part", PartitionedKeys.part(rowKey))
                .setByteBuffer("key", Blobs.of(rowKey))
                .setLong("at", stamp.at());
        return stamp.limitEntry(bound).setConsistencyLevel(cells.consistency()).setIdempotent(true);
    }

    /** The keys of a range whose entities may have the column, in order. */
    public Iterator<Bytes> keys(String family, String qualifier, EntityRange range, int page) {
        Iterator<Integer> parts = range.isEmpty()
                ? IntStream.empty().iterator()
                : IntStream.rangeClosed(PartitionedKeys.first(range), PartitionedKeys.last(range))
                        .iterator();
        return new PartitionedKeys(cluster, parts, part -> {
            BoundStatement statement =
                    range.to().isEmpty() ? from.bind() : between.bind().setByteBuffer("stop", Blobs.of(range.to()));
            return statement
                    .setString("family", family)
                    .setString("qualifier", qualifier)
                    .setInt("part", part)
                    .setByteBuffer("start", Blobs.of(range.from()))
                    .setPageSize(page);
        });
    }
}
