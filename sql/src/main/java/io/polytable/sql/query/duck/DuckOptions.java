package io.polytable.sql.query.duck;

import io.polytable.sql.cache.ColumnCache;
import java.nio.file.Path;
import java.util.List;

/**
 * The resource limits of DuckDB.
 *
 * @param memoryBytes the memory limit of all queries together
 * @param cache the part of that memory that may cache columns of tables that are often read whole
 * @param directory for spilled intermediate results only
 * @param readable the directories whose files DuckDB may read
 */
public record DuckOptions(
        long memoryBytes, ColumnCache.Limits cache, int threads, Path directory, long spillBytes, List<Path> readable) {
    public DuckOptions {
        readable = List.copyOf(readable);
    }
}
