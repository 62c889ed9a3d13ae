package io.polytable.redis.command.node;

import io.polytable.frontend.work.BackgroundJob;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.rdb.RdbExport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SAVE and BGSAVE: an RDB file of all keys under the names of the parameters {@code dir} and {@code dbfilename}. The log
 * has every commit already, so the file is for other programs only. One save runs at a time, on a thread of its own and
 * on a snapshot.
 */
public final class Saves implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Saves.class);

    /** As in Redis. */
    private static final long RETRY_MILLIS = 5000;

    private final Keyspace keyspace;
    private final RedisConfig settings;
    private final InstantSource clock;
    private volatile long lastMillis;
    private volatile long changedAtLast;
    private final AtomicLong completed = new AtomicLong();
    private volatile boolean lastFailed;
    private volatile long lastTriedMillis;
    private volatile long lastTookSeconds = -1;
    private volatile boolean closed;
    private volatile @Nullable Running running;

    /** A save that runs. */
    private final class Running {
        private final long startedMillis = clock.millis();
        private final long startedNanos = System.nanoTime();
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final BackgroundJob job = new BackgroundJob("redis-save", this::run);
        private volatile long keys;
        private volatile long total;

        private void run() {
            long changed = keyspace.lookups().changed();
            RuntimeException failure = null;
            try {
                write();
                changedAtLast = changed;
                lastMillis = startedMillis;
                completed.incrementAndGet();
            } catch (IOException | RuntimeException | Error failed) {
                failure = new RedisError("the RDB file cannot be written; the server's log says why");
                if (!closed) {
                    LOG.warn("The RDB file cannot be written", failed);
                }
            }
            lastFailed = failure != null;
            lastTookSeconds = seconds();
            // First: whoever sees the end may start the next one.
            running = null;
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        }

        private long seconds() {
            return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        }

        private void write() throws IOException {
            DumpFormat format = format(settings);
            new RdbExport(keyspace, format, Node.VERSION)
                    .toFile(Path.of(settings.directory(), settings.saveFile()), startedMillis, this::at);
        }

        private void at(long done, long all) {
            if (closed) {
                throw new CancellationException("the server stops");
            }
            keys = done;
            total = all;
        }
    }

    Saves(Keyspace keyspace, RedisConfig settings, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.clock = clock;
        this.lastMillis = clock.millis();
    }

    /** The format of RDB files: the newest that Redis 7.0 reads. */
    public static DumpFormat format(RedisConfig settings) {
        return new DumpFormat(DumpFormat.Version.OF_7_0, settings.packing(), settings.compressesDumps());
    }

    /**
     * Starts a save. The result fails with a {@link RedisError} when the file cannot be written.
     *
     * @throws RedisError when one is running, or when this server has no directory
     */
    public synchronized CompletableFuture<Void> start() {
        if (running != null) {
            throw new RedisError("Background save already in progress");
        }
        if (settings.directory().isEmpty()) {
            throw new RedisError("There is no directory to save in: dir is not set");
        }
        Running next = new Running();
        running = next;
        next.job.start();
        return next.done;
    }

    /** Starts a save if the parameter {@code save} asks for one now; after a failure not before some seconds. */
    synchronized void startIfDue() {
        long sinceMillis = clock.millis() - lastMillis;
        boolean isDue = !isRunning()
                && settings.savePoints().isDue(sinceMillis, changedSince())
                && (!lastFailed || clock.millis() - lastTriedMillis > RETRY_MILLIS);
        if (isDue && !settings.directory().isEmpty()) {
            lastTriedMillis = clock.millis();
            CompletableFuture<Void> unused = start();
        }
    }

    /** Waits for a save that runs, and saves then, so that the file has everything from before this call. */
    public CompletableFuture<Void> startNext() {
        Running now = running;
        return now == null ? start() : now.done.exceptionally(failure -> null).thenCompose(none -> start());
    }

    public boolean isRunning() {
        return running != null;
    }

    /** How long the running save takes already; -1 when none runs. */
    public long runningSeconds() {
        Running now = running;
        return now == null ? -1 : now.seconds();
    }

    public long savedKeys() {
        Running now = running;
        return now == null ? 0 : now.keys;
    }

    public long keysToSave() {
        Running now = running;
        return now == null ? 0 : now.total;
    }

    /** When the last complete save began; before the first one, when the server started. */
    public long lastMillis() {
        return lastMillis;
    }

    /** The number of changes of keys since then. */
    public long changedSince() {
        return keyspace.lookups().changed() - changedAtLast;
    }

    public boolean lastFailed() {
        return lastFailed;
    }

    /** Of the last save, whether it failed or not; -1 before the first. */
    public long lastTookSeconds() {
        return lastTookSeconds;
    }

    /** The number of complete saves. */
    public long completed() {
        return completed.get();
    }

    /** Ends a running save. */
    @Override
    public void close() {
        closed = true;
        Running last = running;
        if (last != null) {
            last.done.handle((none, failure) -> true).join();
        }
    }
}
