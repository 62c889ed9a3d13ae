package io.polytable.server.run;

import io.polytable.frontend.work.BackgroundJob;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the engine. After a failure memory may show commits that were never acknowledged, so connections are closed
 * and rows in memory are dropped. An engine that recovers by reopening, such as one whose log is in Fluss, is reopened
 * and shows what the log holds; otherwise the server gives up.
 */
final class Supervisor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    private final Watched watched;
    private final BackgroundJob watching = new BackgroundJob("polytable-supervisor", this::run);
    private volatile boolean stopped;

    /** The supervised engine, and the actions on a failure. */
    interface Watched {
        boolean hasFailed();

        boolean isHealedByReopening();

        /** Closes everything; called once per failure. */
        void takeDown();

        /** Opens everything; called until it succeeds. */
        void bringUp();

        /** Closes everything permanently. */
        void giveUp();
    }

    Supervisor(Watched watched) {
        this.watched = watched;
        watching.start();
    }

    private void run() {
        try {
            boolean watches = true;
            while (!stopped && watches) {
                TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
                watches = look();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error mistake) {
            LOG.error("The store can no longer be watched; the server gives up", mistake);
            watched.giveUp();
        }
    }

    /** Returns whether there is something left to watch. */
    private boolean look() throws InterruptedException {
        if (!watched.hasFailed()) {
            return true;
        }
        if (watched.isHealedByReopening()) {
            rebuild();
            return true;
        }
        LOG.error("Unrecoverable store failure; restart the server");
        watched.giveUp();
        return false;
    }

    private void rebuild() throws InterruptedException {
        LOG.warn("The store failed; it is rebuilt from its log before anything else is answered");
        watched.takeDown();
        Duration pause = PAUSE_MIN;
        while (!stopped && !isUp()) {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
    }

    private boolean isUp() {
        try {
            watched.bringUp();
            LOG.warn("The store was rebuilt; serving continues");
            return true;
        } catch (RuntimeException notYet) {
            LOG.warn("The store cannot be rebuilt yet: {}", String.valueOf(notYet.getMessage()));
            return false;
        }
    }

    @Override
    public void close() {
        stopped = true;
        watching.interrupt();
        watching.awaitEnd(STOP_MAX);
    }
}
