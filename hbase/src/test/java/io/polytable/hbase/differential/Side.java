package io.polytable.hbase.differential;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A server as HBase's client reaches it. */
final class Side implements AutoCloseable {
    /** A scan that failed keeps what it saw in HBase until its lease of a minute is over. */
    private static final int POLLS_A_REQUEST = 60;

    private static final AtomicLong COMPACTIONS = new AtomicLong(System.currentTimeMillis());

    private final String name;
    private final boolean tellsWhenCompacted;
    private final Connection connection;

    private Side(String name, boolean tellsWhenCompacted, Connection connection) {
        this.name = name;
        this.tellsWhenCompacted = tellsWhenCompacted;
        this.connection = connection;
    }

    /** HBase begins to compact at some time after the request, family by family, and does not say when it is done. */
    static Side theirs(Configuration configuration) throws IOException {
        return new Side("HBase", false, connected(configuration));
    }

    static Side ours(Configuration configuration) throws IOException {
        return new Side("ours", true, connected(configuration));
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
        try (Admin admin = admin();
                Table written = table(table)) {
            byte[] sign = Bytes.toBytes("~compaction-" + COMPACTIONS.incrementAndGet());
            if (!tellsWhenCompacted) {
                writeSign(admin, written, sign);
            }
            admin.flush(table);
            AtomicInteger polls = new AtomicInteger();
            Await.until(name + " has compacted", () -> {
                int poll = polls.getAndIncrement();
                if (poll > 0 && !isCompacting(admin, written, sign)) {
                    return true;
                }
                // HBase drops a request for a family that it compacts already; a second one that waits would come too
                // late.
                if (poll % POLLS_A_REQUEST == 0 && admin.getCompactionState(table) == CompactionState.NONE) {
                    admin.majorCompact(table);
                }
                return false;
            });
        }
    }

    private boolean isCompacting(Admin admin, Table table, byte[] sign) throws IOException {
        return admin.getCompactionState(table.getName()) != CompactionState.NONE
                || (!tellsWhenCompacted && !isSignGone(table, sign));
    }

    /** Writes a version too many to each family, in a file of its own: a compaction of that family removes it. */
    private static void writeSign(Admin admin, Table table, byte[] sign) throws IOException {
        long time = System.currentTimeMillis();
        Put newest = new Put(sign);
        Put others = new Put(sign);
        for (ColumnFamilyDescriptor family : table.getDescriptor().getColumnFamilies()) {
            for (int version = 1; version <= family.getMaxVersions(); version++) {
                others.addColumn(family.getName(), sign, time - version, sign);
            }
            newest.addColumn(family.getName(), sign, time, sign);
        }
        table.put(others);
        admin.flush(table.getName());
        table.put(newest);
    }

    private static boolean isSignGone(Table table, byte[] sign) throws IOException {
        Scan raw = new Scan()
                .withStartRow(sign)
                .withStopRow(sign, true)
                .setRaw(true)
                .readAllVersions();
        try (ResultScanner rows = table.getScanner(raw)) {
            int kept = 0;
            for (ColumnFamilyDescriptor family : table.getDescriptor().getColumnFamilies()) {
                kept += family.getMaxVersions();
            }
            return rows.next().size() == kept;
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
