package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.KeyCounts;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Lookups;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.table.FeedFollower;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread of a key space. Each tick counts keys after a start, removes expired keys, sweeps the elements
 * of removed collections and drops flushed databases, a bounded amount of each, so that clients keep most of the
 * machine.
 */
public final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    private static final long TICK_MILLIS = 100;
    private static final int EXPIRED_PER_TICK_MAX = 10_000;
    private static final int SWEPT_PER_TICK_MAX = 20_000;
    private static final int DROPPED_PER_TICK_MAX = 20_000;

    /** The number of rows per step; between steps the log is written and the store's back-pressure checked. */
    private static final int STEP = 500;

    /** Between these steps of the eviction the elements of removed collections are swept. */
    private static final int EVICTED_STEP = 64;

    private static final long STOP_SECONDS_MAX = 30;

    private final RedisTables tables;
    private final KeyCounts counts;
    private final Lookups lookups;
    private final InstantSource clock;
    private final List<Expirer> expirers;
    private final Sweeper sweeper;
    private final Dropper dropper;
    private final DataUsage usage;
    private final Evictor evictor;
    private final AtomicBoolean evictionWaits = new AtomicBoolean();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread housekeeper = new Thread(task, "redis-housekeeping");
        housekeeper.setDaemon(true);
        return housekeeper;
    });
    private volatile boolean stopping;

    public Housekeeping(Keyspace keyspace, InstantSource clock, FeedFollower follower) {
        this.tables = keyspace.tables();
        this.counts = keyspace.counts();
        this.lookups = keyspace.lookups();
        this.clock = clock;
        expirers = tables.expiryTables().stream()
                .map(expiries -> new Expirer(keyspace, expiries))
                .toList();
        sweeper = new Sweeper(tables, follower);
        dropper = new Dropper(tables, counts, follower);
        usage = tables.usage();
        evictor = new Evictor(keyspace, new SplittableRandom());
    }

    /** Starts the background thread, which runs until closed. It keeps rows that the follower has not read yet. */
    public static Housekeeping start(Keyspace keyspace, InstantSource clock, FeedFollower follower) {
        Housekeeping housekeeping = new Housekeeping(keyspace, clock, follower);
        housekeeping.usage.whenOver(housekeeping::evictSoon);
        // A tick throws nothing, so nobody needs to check the future.
        var unused =
                housekeeping.thread.scheduleWithFixedDelay(housekeeping::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return housekeeping;
    }

    /** A commit exceeded the limit of the data: there is no time to wait for the next tick. */
    private void evictSoon() {
        if (!stopping && evictionWaits.compareAndSet(false, true)) {
            try {
                thread.execute(() -> {
                    evictionWaits.set(false);
                    guarded(this::evict);
                });
            } catch (RejectedExecutionException closed) {
                evictionWaits.set(false);
            }
        }
    }

    private void tick() {
        guarded(this::work);
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (StoreException failed) {
            if (failed.error() == StoreError.CLOSED || failed.error() == StoreError.FAILED) {
                stopping = true;
            }
            LOG.warn(
                    "Housekeeping could not continue in the store; {}",
                    stopping ? "it ends" : "it tries again",
                    failed);
        } catch (RuntimeException | Error mistake) {
            // An exception would silently end the ticks. What the tick was about to commit is either whole or absent;
            // where that is unknown the store has failed, and the next tick learns so.
            LOG.error("Housekeeping failed; it tries again", mistake);
        }
    }

    /** One tick. */
    public void work() {
        if (stopping) {
            return;
        }
        counts.complete();
        long start = System.nanoTime();
        for (Expirer expirer : expirers) {
            repeat(EXPIRED_PER_TICK_MAX, () -> expirer.step(clock.millis(), STEP));
        }
        lookups.spentExpiring(System.nanoTime() - start);
        repeat(DROPPED_PER_TICK_MAX, () -> dropper.step(STEP));
        sweep();
        evict();
    }

    private void sweep() {
        repeat(SWEPT_PER_TICK_MAX, () -> sweeper.step(STEP));
        if (!tables.mayHaveGarbage()) {
            usage.allSwept();
        }
    }

    private void evict() {
        boolean limited = usage.limit().bytes() > 0;
        if (!limited && usage.isCounting()) {
            usage.stop();
        } else if (limited && !usage.isCounting()) {
            usage.start(() -> stopping);
        }
        if (!usage.limit().policy().evicts()) {
            return;
        }
        while (usage.isOver() && !stopping && tables.store().hasRoom()) {
            if (evictor.step(clock.millis(), EVICTED_STEP) == 0) {
                return;
            }
            tables.store().flush();
            sweep();
        }
    }

    /** Does some work and answers how much; less than a step means that nothing is left. */
    @FunctionalInterface
    private interface Step {
        int run();
    }

    private void repeat(int max, Step step) {
        int done = 0;
        int last = STEP;
        while (done < max && last >= STEP && !stopping && tables.store().hasRoom()) {
            last = step.run();
            done += last;
            if (last > 0) {
                tables.store().flush();
            }
        }
    }

    /** Waits for the current step to end. */
    @Override
    public void close() {
        stopping = true;
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("Housekeeping did not end within {} seconds", STOP_SECONDS_MAX);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
