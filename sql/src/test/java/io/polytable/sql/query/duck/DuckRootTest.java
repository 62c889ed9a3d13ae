package io.polytable.sql.query.duck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.polytable.sql.cache.ColumnCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckRootTest {
    private static final long MEMORY_BYTES = 64 << 20;

    @TempDir
    Path directory;

    @Test
    void aKilledProcessLeavesNoUnpackedLibraryBehind() throws Exception {
        try (DuckRoot root = root();
                DuckDBConnection connection = root.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 6 * 7")) {
            rows.next();
            assertEquals(42, rows.getInt(1));
        }
        assertEquals(List.of(), mappedLibraries());
    }

    @Test
    void nothingIsMadeBeforeTheFirstQuery() throws Exception {
        try (DuckRoot root = root()) {
            assertFalse(Files.exists(directory.resolve("spill")));
            root.connect().close();
            assertTrue(Files.exists(directory.resolve("spill")));
        }
    }

    private DuckRoot root() {
        Path spill = directory.resolve("spill");
        return new DuckRoot(
                new DuckOptions(MEMORY_BYTES, ColumnCache.Limits.of(0), 1, spill, MEMORY_BYTES, List.of()),
                connection -> {});
    }

    /** Those that still have a name in a directory. */
    private static List<String> mappedLibraries() throws Exception {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("libduckdb_java") && !line.endsWith("(deleted)"))
                    .toList();
        }
    }
}
