package io.polytable.sql.query.duck;

import io.polytable.sql.cache.ColumnCache;
import java.nio.file.Path;
import java.util.List;

/**
 * How much the engine may take.
 *
 * @param memoryBytes what queries may take, all together
 * @param cache how much of that may be columns of tables that are read whole again and again
 * @param directory for what does not fit, and for nothing else
 * @param readable the directories whose files it may read
 */
public record DuckOptions(
        long memoryBytes, ColumnCache.Limits cache, int threads, Path directory, long spillBytes, List<Path> readable) {
    public DuckOptions {
        readable = List.copyOf(readable);
    }
}
