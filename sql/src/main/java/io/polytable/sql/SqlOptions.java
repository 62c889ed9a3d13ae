package io.polytable.sql;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How the relational face is set up.
 *
 * @param directory for schema files and for what queries spill
 * @param memoryBytes what queries through DuckDB may take, all together
 * @param settings the server's settings, for {@code system.settings}
 */
public record SqlOptions(
        Path directory,
        long memoryBytes,
        int threads,
        long spillBytes,
        Duration statementTimeout,
        Map<String, String> settings) {
    public SqlOptions {
        settings = Map.copyOf(settings);
    }

    public static SqlOptions in(Path directory) {
        return new SqlOptions(
                directory,
                512L << 20,
                Math.max(1, Runtime.getRuntime().availableProcessors()),
                4L << 30,
                Duration.ofSeconds(60),
                Map.of());
    }
}
