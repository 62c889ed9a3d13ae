package io.polytable.sql.query.duck;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DuckDB instance that all connections share. The first query that needs it starts it: a server that only serves
 * Redis, HBase or reads by key never pays for its library and memory.
 */
public final class DuckRoot implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DuckRoot.class);
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Path MAPPED_FILES = Path.of("/proc/self/maps");
    private static final String LIBRARY = "libduckdb_java";

    private final DuckOptions options;
    private final Registration functions;
    private @Nullable DuckDBConnection connection;
    private boolean closed;

    /** Registers our functions with a new instance. */
    public interface Registration {
        void register(DuckDBConnection connection) throws SQLException;
    }

    public DuckRoot(DuckOptions options, Registration functions) {
        this.options = options;
        this.functions = functions;
    }

    /** Opens a new connection, which the caller closes. */
    public synchronized DuckDBConnection connect() throws SQLException {
        if (closed) {
            throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
        }
        DuckDBConnection started = connection;
        if (started == null) {
            started = start();
            connection = started;
        }
        return started.duplicate();
    }

    private DuckDBConnection start() throws SQLException {
        try {
            Files.createDirectories(options.directory());
            Properties properties = new Properties();
            properties.setProperty("jdbc_stream_results", "true");
            DuckDBConnection started = (DuckDBConnection) DriverManager.getConnection(
                    "jdbc:duckdb::memory:polytable" + NUMBERS.incrementAndGet(), properties);
            removeUnpackedLibrary();
            return prepared(started);
        } catch (IOException | LinkageError failure) {
            LOG.error("DuckDB does not start", failure);
            throw new SqlError(SqlCode.UNAVAILABLE, "DuckDB does not start; the server's log says why");
        }
    }

    private DuckDBConnection prepared(DuckDBConnection started) throws SQLException {
        try {
            functions.register(started);
            configure(started);
            return started;
        } catch (SQLException | RuntimeException failure) {
            started.close();
            throw failure;
        }
    }

    /**
     * Deletes the library, 70 MB, that the driver unpacks into the temporary directory and removes only when Java exits
     * normally: each killed process would leave one behind. Linux keeps a deleted file while it is mapped.
     */
    private static void removeUnpackedLibrary() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (Stream<String> lines = Files.lines(MAPPED_FILES, StandardCharsets.UTF_8)) {
            List<Path> unpacked = lines.filter(line -> line.contains("/" + LIBRARY) && line.endsWith(".so"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .filter(file -> temporary.equals(file.getParent()))
                    .distinct()
                    .toList();
            for (Path file : unpacked) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | RuntimeException failure) {
            LOG.debug("DuckDB's unpacked library stays until the end", failure);
        }
    }

    private void configure(DuckDBConnection started) throws SQLException {
        List<String> settings = List.of(
                "SET GLOBAL memory_limit = '" + options.memoryBytes() + "B'",
                "SET GLOBAL threads = " + options.threads(),
                "SET GLOBAL temp_directory = " + quoted(options.directory().toString()),
                "SET GLOBAL max_temp_directory_size = '" + options.spillBytes() + "B'",
                "SET GLOBAL autoinstall_known_extensions = false",
                "SET GLOBAL autoload_known_extensions = false",
                "SET GLOBAL python_enable_replacements = false",
                "SET GLOBAL integer_division = true",
                "SET GLOBAL default_null_order = 'nulls_last_on_asc_first_on_desc'",
                "SET GLOBAL TimeZone = 'UTC'",
                "SET GLOBAL errors_as_json = true",
                "SET GLOBAL preserve_insertion_order = true",
                "SET GLOBAL allowed_directories = [" + readable() + "]",
                "SET GLOBAL enable_external_access = false",
                "SET GLOBAL lock_configuration = true");
        for (String setting : settings) {
            try (Statement statement = started.createStatement()) {
                statement.execute(setting);
            } catch (SQLException unknown) {
                if (!setting.contains("python")) {
                    throw unknown;
                }
            }
        }
    }

    private String readable() {
        return options.readable().stream().map(each -> quoted(each + "/")).collect(Collectors.joining(", "));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    public synchronized void close() throws SQLException {
        closed = true;
        if (connection != null) {
            connection.close();
        }
    }
}
