package io.polytable.sql.query.scan;

import io.polytable.sql.cache.BlockStore;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.query.duck.DuckRoot;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.type.SqlError;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blocks of the column cache as DuckDB tables, in the column types of a scan, which a query reads instead. */
public final class DuckBlocks implements BlockStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DuckBlocks.class);

    /**
     * A separate database: DuckDB frees a dropped table when no older transaction of its database is open, and only
     * queries that read blocks have a transaction in this one.
     */
    private static final String DATABASE = "polytable_cache";

    private static final int VALUE_BYTES = 16;

    private final DuckRoot root;
    private final ScanFunction scans;
    private final AtomicLong numbers = new AtomicLong();

    /** A connection of its own: dropping a block must work even if all others are in use. */
    private @Nullable DuckDBConnection connection;

    private boolean closed;

    public DuckBlocks(DuckRoot root, ScanFunction scans) {
        this.root = root;
        this.scans = scans;
    }

    public static void register(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ATTACH ':memory:' AS " + DATABASE);
        }
    }

    /** The list of the columns that a table's blocks have. */
    static String columns(SqlTable table) {
        return table.def().columns().stream()
                .map(ColumnDef::name)
                .map(Quoted::name)
                .collect(Collectors.joining(", "));
    }

    /** Rows with an infinite value are not cached: only a scan can report that infinity was in a query's input. */
    @Override
    public Optional<Block> fill(SqlTable table, KeyRange range, Reader reader) {
        OpenScan scan = OpenScan.within(table, range, reader);
        long number = scans.add(scan);
        String name = DATABASE + ".b" + numbers.incrementAndGet();
        try (DuckDBConnection filling = root.connect();
                Statement statement = filling.createStatement()) {
            statement.execute(
                    "CREATE TABLE " + name + " AS SELECT " + columns(table) + " FROM " + ScanFunction.call(number));
            try (ResultSet size = statement.executeQuery(size(table, name))) {
                size.next();
                Block block = new Block(name, size.getLong(1), size.getLong(2));
                if (!scan.sawInfinity) {
                    return Optional.of(block);
                }
            }
            statement.execute("DROP TABLE " + name);
            return Optional.empty();
        } catch (SQLException failure) {
            drop(name);
            RuntimeException inside = scan.failure.get();
            throw inside != null ? inside : DuckErrors.of(failure, Optional.empty());
        } finally {
            scans.remove(number);
        }
    }

    /** A query for the rows and bytes of a block: sixteen bytes for each value, plus the texts. */
    private static String size(SqlTable table, String name) {
        String texts = table.columns().stream()
                .filter(column -> !column.hidden() && ScanTypes.transferType(column.type()) == DuckDBColumnType.VARCHAR)
                .map(column -> " + coalesce(sum(strlen(" + Quoted.name(column.name()) + ")), 0)")
                .collect(Collectors.joining());
        return "SELECT count(*), CAST(count(*) * "
                + VALUE_BYTES * table.def().columns().size() + texts + " AS BIGINT) FROM " + name;
    }

    @Override
    public void drop(Block block) {
        drop(block.name());
    }

    private synchronized void drop(String name) {
        if (closed) {
            return;
        }
        try {
            if (connection == null) {
                connection = root.connect();
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE IF EXISTS " + name);
            }
        } catch (SQLException | SqlError failure) {
            LOG.warn("A block of the column cache could not be dropped and stays until the end", failure);
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        closed = true;
        if (connection != null) {
            connection.close();
        }
    }
}
