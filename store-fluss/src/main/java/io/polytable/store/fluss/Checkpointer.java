package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.Recovery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread that checkpoints the state to Fluss whenever the log has grown by {@code everyBytes}, and then
 * trims the log before the checkpoint.
 */
final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration STOP_MAX = Duration.ofSeconds(60);
    private static final String FILES = "checkpoint.out";

    private final Engine engine;
    private final FlussLog log;
    private final Checkpoint checkpoints;
    private final Path files;
    private final long everyBytes;
    private final Thread thread = new Thread(this::run, "polytable-checkpoint");
    private volatile boolean closed;
    private long last;

    Checkpointer(Engine engine, FlussLog log, Checkpoint checkpoints, Path directory, long everyBytes) {
        this.engine = engine;
        this.log = log;
        this.checkpoints = checkpoints;
        this.files = directory.resolve(FILES);
        this.everyBytes = everyBytes;
        this.last = log.first() - 1;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
                if (!makeIfDue()) {
                    TimeUnit.NANOSECONDS.sleep(RETRY_AFTER.toNanos());
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it succeeded or nothing was due. */
    private boolean makeIfDue() {
        try {
            if (!log.failed() && log.bytesSince(last + 1) >= everyBytes) {
                Backup.Contents made = make();
                LOG.info("Checkpoint at {}", made.position());
            }
            return true;
        } catch (RuntimeException | Error e) {
            // The log keeps what no checkpoint has, so retrying later loses nothing. This thread must survive any
            // failure: without it the log would grow forever.
            if (!closed) {
                LOG.warn("No checkpoint could be written to Fluss: {}", String.valueOf(e));
            }
            return false;
        }
    }

    synchronized Backup.Contents make() {
        // An earlier attempt may have timed out waiting: its checkpoint is complete, and the log may still come to name
        // it.
        log.awaitTrim();
        checkpoints.removeSuperseded(log.epoch(), log.checkpoint());
        Backup.Contents contents = Checkpoint.image(engine, files);
        checkpoints.removeUnfinished(log.epoch(), log.checkpoint());
        long number = checkpoints.write(files, log.epoch(), Recovery.Progress.NONE);
        if (log.checkpoint() != 0) {
            checkpoints.supersede(log.epoch(), log.checkpoint());
        }
        log.trim(contents.position() + 1, number);
        last = contents.position();
        checkpoints.removeSuperseded(log.epoch(), log.checkpoint());
        StoreDirectory.deleteTree(files);
        return contents;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            TimeUnit.MILLISECONDS.timedJoin(thread, STOP_MAX.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
