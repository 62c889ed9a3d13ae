package io.polytable.server.projection;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.config.ConfigOptions;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.utils.CloseableIterator;

/** A reader that uses only Fluss' client and the documented columns, none of our classes. */
final class FlussReader implements AutoCloseable {
    private static final int ROWS_MAX = 100_000;

    private final Connection connection;
    private final String database;

    FlussReader(String bootstrapServers, String database) {
        Configuration configuration = new Configuration();
        configuration.set(ConfigOptions.BOOTSTRAP_SERVERS, List.of(bootstrapServers));
        configuration.set(ConfigOptions.CLIENT_METRICS_ENABLED, false);
        this.connection = ConnectionFactory.createConnection(configuration);
        this.database = database;
    }

    List<String> tables() throws InterruptedException, ExecutionException {
        return connection.getAdmin().listTables(database).get();
    }

    /** {@code db key sub type score value expire_at} of each row in the data tables. */
    Set<String> data() throws IOException, InterruptedException, ExecutionException {
        Set<String> rows = new TreeSet<>();
        for (String table : tables()) {
            if (table.startsWith("redis_shard_") || table.equals("redis_internal_data")) {
                rows(table).stream().map(FlussReader::dataText).forEach(rows::add);
            }
        }
        return rows;
    }

    private static String dataText(InternalRow row) {
        return row.getInt(6) + " " + bytes(row, 0) + " " + bytes(row, 1) + " "
                + row.getString(2) + " "
                + (row.isNullAt(3) ? "-" : row.getDouble(3)) + " "
                + bytes(row, 4) + " "
                + (row.isNullAt(5) ? -1 : row.getLong(5));
    }

    /** {@code db key member score}. */
    Set<String> members() throws IOException {
        return rows("redis_internal_zset_index").stream()
                .map(row -> row.getInt(3) + " " + bytes(row, 0) + " " + bytes(row, 1) + " " + row.getDouble(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@code db key sub-keys}, in order. */
    Set<String> subKeys() throws IOException {
        return rows("redis_internal_subkey_index").stream()
                .map(row -> row.getInt(2) + " " + bytes(row, 0) + " "
                        + (row.isNullAt(1) ? "-" : sorted(row.getString(1).toString())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> sorted(String json) {
        List<String> items =
                new ArrayList<>(List.of(json.substring(1, json.length() - 1).split(",", -1)));
        items.replaceAll(item -> item.substring(1, item.length() - 1));
        items.sort(null);
        return items;
    }

    /** Writes a row that does not belong there. */
    void plant(String table, int db, String key, String sub) throws InterruptedException, ExecutionException {
        GenericRow row = new GenericRow(8);
        row.setField(0, key.getBytes(UTF_8));
        row.setField(1, sub.getBytes(UTF_8));
        row.setField(6, db);
        table(table).newUpsert().createWriter().upsert(row).get();
    }

    /** All rows of one key, as a lookup by the bucket's key finds them. */
    int countOf(String table, int db, String key) throws InterruptedException, ExecutionException {
        return table(table)
                .newLookup()
                .lookupBy("db", "redis_key")
                .createLookuper()
                .lookup(GenericRow.of(db, key.getBytes(UTF_8)))
                .get()
                .getRowList()
                .size();
    }

    /** It is closed with the connection. */
    private Table table(String name) {
        return connection.getTable(TablePath.of(database, name));
    }

    private List<InternalRow> rows(String name) throws IOException {
        List<InternalRow> rows = new ArrayList<>();
        Table table = table(name);
        for (int bucket = 0; bucket < table.getTableInfo().getNumBuckets(); bucket++) {
            TableBucket of = new TableBucket(table.getTableInfo().getTableId(), bucket);
            try (BatchScanner scanner = table.newScan().limit(ROWS_MAX).createBatchScanner(of)) {
                readAll(scanner, rows);
            }
        }
        return rows;
    }

    private static void readAll(BatchScanner scanner, List<InternalRow> rows) throws IOException {
        CloseableIterator<InternalRow> batch = scanner.pollBatch(Duration.ofSeconds(10));
        while (batch != null) {
            batch.forEachRemaining(rows::add);
            batch.close();
            batch = scanner.pollBatch(Duration.ofSeconds(10));
        }
    }

    private static String bytes(InternalRow row, int at) {
        return row.isNullAt(at) ? "-" : new String(row.getBytes(at), UTF_8);
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
