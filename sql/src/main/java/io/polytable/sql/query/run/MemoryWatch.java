package io.polytable.sql.query.run;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops all queries when the process grows too much while they run. DuckDB's own limit does not count all its memory;
 * what the function guards let through must not end the process.
 */
final class MemoryWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE_BYTES = 4096;
    private static final long PERIOD_MILLIS = 20;

    /** Below this, growth is not worth stopping queries for. */
    private static final long GROWTH_MIN = 512L << 20;

    private final long growthMax;
    private final LongSupplier resident;
    private final Set<Cancellation> running = new HashSet<>();
    private @Nullable ScheduledFuture<?> task;
    private long before;
    private volatile boolean exceeded;

    MemoryWatch(long growthMax, LongSupplier resident) {
        this.growthMax = growthMax;
        this.resident = resident;
    }

    /** The most that the process may grow while queries run: their memory, and the heap that may be touched meanwhile. */
    static long limit(long memoryBytes) {
        return memoryBytes + Math.max(GROWTH_MIN, MemoryPlan.heapBytes());
    }

    /** The memory of the process; zero where the operating system does not report it, which turns the watch off. */
    static long residentBytes() {
        try {
            return Long.parseLong(
                            Files.readString(STATM, StandardCharsets.US_ASCII).split(" ", 3)[1])
                    * PAGE_BYTES;
        } catch (IOException | RuntimeException unknown) {
            return 0;
        }
    }

    static SqlError error() {
        return new SqlError(SqlCode.OUT_OF_MEMORY, "queries take more memory than allowed");
    }

    boolean isExceeded() {
        return exceeded;
    }

    synchronized void begin(Cancellation query, ScheduledExecutorService timer) {
        if (running.isEmpty()) {
            before = resident.getAsLong();
            exceeded = false;
        }
        running.add(query);
        if (task == null) {
            try {
                task = timer.scheduleWithFixedDelay(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException stopping) {
                LOG.debug("A query began while the server stops", stopping);
            }
        }
    }

    synchronized void end(Cancellation query) {
        running.remove(query);
        if (running.isEmpty()) {
            exceeded = false;
            if (task != null) {
                task.cancel(false);
                task = null;
            }
        }
    }

    void look() {
        Set<Cancellation> stopped;
        boolean first;
        synchronized (this) {
            if (resident.getAsLong() - before <= growthMax) {
                exceeded = false;
                return;
            }
            first = !exceeded;
            exceeded = true;
            stopped = Set.copyOf(running);
        }
        if (first) {
            LOG.warn("Queries grew the process by more than {} bytes: {} are stopped", growthMax, stopped.size());
        }
        stopped.forEach(Cancellation::outOfMemory);
    }
}
