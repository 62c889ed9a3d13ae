package io.polytable.sql.query;

import io.polytable.sql.cache.BlockStore;
import io.polytable.sql.model.ColumnDef;
import io.polytable.sql.model.SqlTable;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.type.SqlError;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Blocks of the column cache as tables of DuckDB, with columns as they cross: a query reads them in place of a scan. */
final class DuckBlocks implements BlockStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DuckBlocks.class);
    private static final String SCHEMA = "polytable_cache";

    private final DuckRoot root;
    private final ScanFunction scans;
    private final AtomicLong numbers = new AtomicLong();

    /** Its own, since a block must go also when all others are taken. */
    private @Nullable DuckDBConnection connection;

    DuckBlocks(DuckRoot root, ScanFunction scans) {
        this.root = root;
        this.scans = scans;
    }

    static void register(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + SCHEMA);
        }
    }

    /** The columns of a table that blocks have, as a query lists them. */
    static String columns(SqlTable table) {
        return table.def().columns().stream()
                .map(ColumnDef::name)
                .map(Quoted::name)
                .collect(Collectors.joining(", "));
    }

    @Override
    public Block fill(SqlTable table, KeyRange range, Reader reader) {
        OpenScan scan = OpenScan.within(table, range, reader);
        long number = scans.add(scan);
        String name = SCHEMA + ".b" + numbers.incrementAndGet();
        try (DuckDBConnection filling = root.connect();
                Statement statement = filling.createStatement()) {
            statement.execute(
                    "CREATE TABLE " + name + " AS SELECT " + columns(table) + " FROM " + ScanFunction.call(number));
            try (ResultSet count = statement.executeQuery("SELECT count(*) FROM " + name)) {
                count.next();
                return new Block(name, count.getLong(1), scan.sawInfinity);
            }
        } catch (SQLException failure) {
            RuntimeException inside = scan.failure.get();
            throw inside != null ? inside : DuckErrors.of(failure, "");
        } finally {
            scans.remove(number);
        }
    }

    @Override
    public synchronized void drop(Block block) {
        try {
            if (connection == null) {
                connection = root.connect();
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE " + block.name());
            }
        } catch (SQLException | SqlError failure) {
            LOG.debug("A block of columns stays until the end", failure);
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        if (connection != null) {
            connection.close();
        }
    }
}
