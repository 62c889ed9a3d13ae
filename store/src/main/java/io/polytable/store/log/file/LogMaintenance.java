package io.polytable.store.log.file;

import io.polytable.store.log.LogProgress;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The background thread that prepares the next segment ahead of need, releases old ones and syncs full ones. */
final class LogMaintenance implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LogMaintenance.class);
    /** How often retention by time is checked. */
    static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SegmentSupply supply;
    private final Retirement retirement;
    private final Syncer syncer;
    private final LogProgress progress;
    private final long retryNanos;
    private final long idleNanos;
    private final Thread thread = new Thread(this, "log-upkeep");

    /**
     * Whether there may be new work since the last turn began. The permit of an unpark alone does not say so: any lock
     * that the thread waits for during its turn consumes it.
     */
    private final AtomicBoolean woken = new AtomicBoolean();

    private volatile boolean stopped;

    LogMaintenance(
            SegmentSupply supply,
            Retirement retirement,
            Syncer syncer,
            LogProgress progress,
            FileLogOptions options,
            long idleNanos) {
        this.supply = supply;
        this.retirement = retirement;
        this.syncer = syncer;
        this.progress = progress;
        this.retryNanos = Math.max(1, options.retryAfter().toNanos());
        this.idleNanos = idleNanos;
        thread.setDaemon(true);
    }

    void start() {
        supply.maintainedBy(this::wake);
        thread.start();
    }

    void wake() {
        woken.set(true);
        LockSupport.unpark(thread);
    }

    /** Stops the thread, if there is one, and waits for it. */
    void stop() {
        stopped = true;
        wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try {
            while (!stopped && !progress.failed()) {
                woken.set(false);
                long pause = turn();
                if (pause > 0 && !woken.get()) {
                    LockSupport.parkNanos(this, pause);
                }
            }
        } catch (Error e) {
            LOG.error("The log's upkeep ends, and with it the log", e);
            StoreException unusedTold = progress.fail(e);
        } finally {
            supply.maintenanceEnds();
        }
    }

    void catchUp() {
        long pause;
        do {
            pause = turn();
        } while (pause == 0);
    }

    /** Does one step; returns how long there will be nothing more to do. */
    private long turn() {
        try {
            // Space first: a commit may be waiting for it.
            if (supply.work()) {
                return 0;
            }
            if (syncer.behind()) {
                syncer.sync();
            }
            retire();
            return idleNanos;
        } catch (StoreException e) {
            LOG.debug("The log's upkeep could not continue", e);
            return retryNanos;
        } catch (IOException | RuntimeException e) {
            LOG.warn("Segments of the log could not be prepared or released", e);
            return retryNanos;
        }
    }

    private void retire() throws IOException {
        supply.lock().lock();
        try {
            retirement.run();
        } finally {
            supply.lock().unlock();
        }
    }
}
