package io.polytable.server.run;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches an engine that can fail and be healed by opening it again, as one whose log is elsewhere. What such an engine
 * shows in memory may never have been acknowledged, so everything goes: the connections, the rows in memory. What comes
 * back is what the log holds.
 */
final class Supervisor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    private final BooleanSupplier failed;
    private final Runnable takeDown;
    private final Runnable bringUp;
    private final Thread thread = new Thread(this::run, "polytable-supervisor");
    private volatile boolean stopped;

    /**
     * @param takeDown closes everything; called once for each failure
     * @param bringUp opens everything; called until it throws nothing
     */
    Supervisor(BooleanSupplier failed, Runnable takeDown, Runnable bringUp) {
        this.failed = failed;
        this.takeDown = takeDown;
        this.bringUp = bringUp;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!stopped) {
                TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
                if (failed.getAsBoolean()) {
                    rebuild();
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void rebuild() throws InterruptedException {
        LOG.warn("The store failed; it is rebuilt from its log before anything else is answered");
        takeDown.run();
        Duration pause = PAUSE_MIN;
        while (!stopped && !isUp()) {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
    }

    private boolean isUp() {
        try {
            bringUp.run();
            LOG.warn("The store was rebuilt; serving goes on");
            return true;
        } catch (RuntimeException notYet) {
            LOG.warn("The store cannot be rebuilt yet: {}", String.valueOf(notYet.getMessage()));
            return false;
        }
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
        try {
            TimeUnit.MILLISECONDS.timedJoin(thread, STOP_MAX.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
