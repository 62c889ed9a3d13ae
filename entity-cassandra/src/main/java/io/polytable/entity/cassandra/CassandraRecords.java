package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The records of an instance in one partition, in key order; compare-and-set is a conditional write. */
final class CassandraRecords implements StoreRecords {
    static final String TABLE = "polytable_records";

    private static final String WHERE = " WHERE part = 'records' AND key = ?";

    private final Cluster cluster;
    private final String table;

    CassandraRecords(Cluster cluster, String keyspace) {
        this.cluster = cluster;
        table = Names.quoted(keyspace) + "." + Names.quoted(TABLE);
    }

    static String create(String keyspace) {
        return "CREATE TABLE IF NOT EXISTS " + Names.quoted(keyspace) + "." + Names.quoted(TABLE)
                + " (part text, key text, value text, PRIMARY KEY ((part), key))";
    }

    static boolean isIn(Cluster cluster, String keyspace) {
        String cql = "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?";
        return cluster.execute(SimpleStatement.newInstance(cql, keyspace, TABLE))
                        .one()
                != null;
    }

    @Override
    public Optional<Bytes> get(String key) {
        Row row = execute("SELECT value FROM " + table + WHERE, key).one();
        return Optional.ofNullable(row).map(found -> found.getString(0)).map(Bytes::utf8);
    }

    @Override
    public void put(String key, Bytes value) {
        execute("UPDATE " + table + " SET value = ?" + WHERE, value.utf8(), key);
    }

    /** Conditional, so that it is ordered with the conditional writes of the same record. */
    @Override
    public void remove(String key) {
        execute("DELETE FROM " + table + WHERE + " IF EXISTS", key);
    }

    @Override
    public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
        if (expected.isEmpty()) {
            String cql = "INSERT INTO " + table + " (part, key, value) VALUES ('records', ?, ?) IF NOT EXISTS";
            return execute(cql, key, value.utf8()).wasApplied();
        }
        String cql = "UPDATE " + table + " SET value = ?" + WHERE + " IF value = ?";
        return execute(cql, value.utf8(), key, expected.get().utf8()).wasApplied();
    }

    @Override
    public NavigableMap<String, Bytes> withPrefix(String prefix) {
        NavigableMap<String, Bytes> found = new TreeMap<>();
        String cql = "SELECT key, value FROM " + table + " WHERE part = 'records' AND key >= ? AND key < ?";
        // Keys are ASCII except for names of columns, none of which starts with the highest code point.
        for (Row row : execute(cql, prefix, prefix + "\uDBFF\uDFFF")) {
            String key = row.getString(0);
            String value = row.getString(1);
            if (key != null && value != null) {
                found.put(key, Bytes.utf8(value));
            }
        }
        return found;
    }

    /** A dropped instance has no records. */
    private ResultSet execute(String cql, String... values) {
        try {
            return cluster.execute(cluster.prepare(cql).bind((Object[]) values));
        } catch (EntityException e) {
            throw e.error() == EntityError.STALE_LAYOUT
                    ? new EntityException(
                            EntityError.NO_SUCH_INSTANCE, "The instance is gone", Map.of("records", table), e)
                    : e;
        }
    }
}
