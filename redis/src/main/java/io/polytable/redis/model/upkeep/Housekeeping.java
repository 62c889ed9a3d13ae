package io.polytable.redis.model.upkeep;

import io.polytable.frontend.work.Background;
import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.KeyCounts;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Lookups;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.table.feed.FeedFollower;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The background thread of a key space. Each tick counts keys after a start, removes expired keys, sweeps the elements
 * of removed collections and drops flushed databases, a bounded amount of each, so that clients keep most of the
 * machine.
 */
public final class Housekeeping implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(100);
    private static final int EXPIRED_PER_TICK_MAX = 10_000;
    private static final int SWEPT_PER_TICK_MAX = 20_000;
    private static final int DROPPED_PER_TICK_MAX = 20_000;

    /** The number of rows per step; between steps the log is written and the store's back-pressure checked. */
    private static final int STEP = 500;

    /** Between these steps of the eviction the elements of removed collections are swept. */
    private static final int EVICTED_STEP = 64;

    private static final Duration STOP_MAX = Duration.ofSeconds(30);

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
    private final Background background = new Background("redis-housekeeping", STOP_MAX);

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
        housekeeping.background.every(TICK, housekeeping::work);
        return housekeeping;
    }

    /** A commit exceeded the limit of the data: there is no time to wait for the next tick. */
    private void evictSoon() {
        if (evictionWaits.compareAndSet(false, true)) {
            background.now(() -> {
                evictionWaits.set(false);
                evict();
            });
        }
    }

    /** One tick. */
    public void work() {
        if (background.isClosing()) {
            return;
        }
        counts.complete();
        long start = System.nanoTime();
        if (tables.removal().expiresAt(clock.millis())) {
            expire();
        }
        lookups.spentExpiring(System.nanoTime() - start);
        repeat(DROPPED_PER_TICK_MAX, () -> dropper.step(STEP));
        sweep();
        evict();
    }

    private void expire() {
        for (Expirer expirer : expirers) {
            repeat(EXPIRED_PER_TICK_MAX, () -> expirer.step(clock.millis(), STEP));
        }
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
            usage.start(background::isClosing);
        }
        if (!usage.limit().policy().evicts()) {
            return;
        }
        while (usage.isOver()
                && !background.isClosing()
                && !tables.removal().isPaused(clock.millis())
                && tables.store().hasRoom()) {
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
        while (done < max
                && last >= STEP
                && !background.isClosing()
                && tables.store().hasRoom()) {
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
        background.close();
    }
}
