package io.polytable.server.projection;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.config.ConfigOptions;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.utils.CloseableIterator;

/** A reader that uses only Fluss' client and the documented bytes of a family's column, none of our classes. */
public final class FamilyReader implements AutoCloseable {
    private static final int ROWS_MAX = 100_000;

    private final String servers;
    private final String database;
    private final Map<String, Long> ids = new HashMap<>();
    private Connection connection;

    public FamilyReader(String servers, String database) {
        this.servers = servers;
        this.database = database;
        connection = connected();
    }

    private Connection connected() {
        Configuration configuration = new Configuration();
        configuration.set(ConfigOptions.BOOTSTRAP_SERVERS, List.of(servers));
        configuration.set(ConfigOptions.CLIENT_METRICS_ENABLED, false);
        return ConnectionFactory.createConnection(configuration);
    }

    public List<String> tables() throws InterruptedException, ExecutionException {
        if (!connection.getAdmin().databaseExists(database).get()) {
            return List.of();
        }
        List<String> tables =
                new ArrayList<>(connection.getAdmin().listTables(database).get());
        tables.removeIf(name -> !name.startsWith("hbase_"));
        tables.sort(null);
        return tables;
    }

    List<String> columns(String table) {
        return connection
                .getTable(TablePath.of(database, table))
                .getTableInfo()
                .getRowType()
                .getFieldNames();
    }

    /** Whether the table is there and has just these rows, as {@link #rows} tells them. */
    public boolean shows(String table, Map<String, List<String>> wanted) throws Exception {
        try {
            return tables().contains(table) && rows(table).equals(wanted);
        } catch (ExecutionException | CompletionException | FlussRuntimeException notNow) {
            // Tables are created, dropped and recreated meanwhile; Fluss has many errors for that.
            return false;
        }
    }

    /** Each row as {@code family:qualifier@timestamp=value}, in order, by its row key. */
    public Map<String, List<String>> rows(String table) throws Exception {
        TablePath path = TablePath.of(database, table);
        long id = connection.getAdmin().getTableInfo(path).get().getTableId();
        Long before = ids.put(table, id);
        if (before != null && before != id) {
            // A client caches tables by name.
            connection.close();
            connection = connected();
        }
        Table opened = connection.getTable(path);
        List<String> names = opened.getTableInfo().getRowType().getFieldNames();
        Map<String, List<String>> rows = new TreeMap<>();
        for (int bucket = 0; bucket < opened.getTableInfo().getNumBuckets(); bucket++) {
            TableBucket of = new TableBucket(opened.getTableInfo().getTableId(), bucket);
            try (BatchScanner scanner = opened.newScan().limit(ROWS_MAX).createBatchScanner(of)) {
                readAll(scanner, names, rows);
            }
        }
        return rows;
    }

    private static void readAll(BatchScanner scanner, List<String> names, Map<String, List<String>> rows)
            throws IOException {
        CloseableIterator<InternalRow> batch = scanner.pollBatch(Duration.ofSeconds(10));
        while (batch != null) {
            batch.forEachRemaining(row -> rows.put(new String(row.getBytes(0), UTF_8), cells(row, names)));
            batch.close();
            batch = scanner.pollBatch(Duration.ofSeconds(10));
        }
    }

    private static List<String> cells(InternalRow row, List<String> names) {
        List<String> cells = new ArrayList<>();
        int last = names.indexOf("timestamps");
        ByteBuffer timestamps = ByteBuffer.wrap(row.getBytes(last));
        for (int column = 1; column < last; column++) {
            int stamped = timestamps.getInt();
            ByteBuffer family =
                    row.isNullAt(column) ? ByteBuffer.allocate(Integer.BYTES) : ByteBuffer.wrap(row.getBytes(column));
            int count = family.getInt();
            if (count != stamped) {
                throw new AssertionError(count + " cells, " + stamped + " timestamps");
            }
            for (int i = 0; i < count; i++) {
                cells.add(names.get(column) + ":" + sized(family) + "@" + timestamps.getLong() + "=" + sized(family));
            }
        }
        return cells;
    }

    private static String sized(ByteBuffer from) {
        byte[] bytes = new byte[from.getInt()];
        from.get(bytes);
        return new String(bytes, UTF_8);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (Exception e) {
            throw new IllegalStateException("The connection does not close", e);
        }
    }
}
