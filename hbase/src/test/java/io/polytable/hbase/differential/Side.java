package io.polytable.hbase.differential;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/** A server as HBase's client reaches it. */
final class Side implements AutoCloseable {
    private static final long COMPACTION_MILLIS_MAX = 60_000;

    private final String name;
    private final boolean tellsWhenCompacted;
    private final Connection connection;

    private Side(String name, boolean tellsWhenCompacted, Connection connection) {
        this.name = name;
        this.tellsWhenCompacted = tellsWhenCompacted;
        this.connection = connection;
    }

    static Side theirs(Configuration configuration) throws IOException {
        return new Side("HBase", true, connected(configuration));
    }

    /** Ours is asked whether it compacts, which it says from the request on; HBase begins at some later time. */
    static Side ours(Configuration configuration) throws IOException {
        return new Side("ours", false, connected(configuration));
    }

    /** Fails at the first failure: a retry would only hide it, and take long. */
    private static Connection connected(Configuration configuration) throws IOException {
        Configuration impatient = new Configuration(configuration);
        impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
        impatient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 30_000);
        impatient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 30_000);
        return ConnectionFactory.createConnection(impatient);
    }

    Admin admin() throws IOException {
        return connection.getAdmin();
    }

    Table table(TableName table) throws IOException {
        return connection.getTable(table);
    }

    void create(Schema schema) throws IOException {
        try (Admin admin = admin()) {
            if (!admin.tableExists(schema.table())) {
                admin.createTable(schema.descriptor());
            }
        }
    }

    /** Writes out what is in memory and rewrites it all, without what nobody can read any more. */
    void compact(TableName table) throws IOException, InterruptedException {
        try (Admin admin = admin()) {
            admin.flush(table);
            long before = admin.getLastMajorCompactionTimestamp(table);
            admin.majorCompact(table);
            long end = System.currentTimeMillis() + COMPACTION_MILLIS_MAX;
            while (admin.getCompactionState(table) != CompactionState.NONE
                    || (tellsWhenCompacted && admin.getLastMajorCompactionTimestamp(table) == before)) {
                if (System.currentTimeMillis() > end) {
                    throw new IOException(name + " does not compact");
                }
                Thread.sleep(20);
            }
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
