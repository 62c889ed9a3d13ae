package io.polytable.table.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits for a condition that another thread or process brings about.
 *
 * <p>The bound says when to give up, never how fast the machine is: it is two minutes, so that a loaded machine with one
 * core still passes. To show that something does <em>not</em> happen, await an event that must come after it instead.
 */
public final class Await {
    /** How long a condition may take before the test fails. */
    public static final Duration BOUND = Duration.ofMinutes(2);

    private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

    private Await() {}

    /** Returns once the condition holds; the description completes the sentence "gave up waiting until ...". */
    public static void until(String description, Callable<Boolean> condition) {
        until(() -> description, condition);
    }

    /** As above, with a description that is computed when waiting failed, so that it can show the last state. */
    public static void until(Supplier<String> description, Callable<Boolean> condition) {
        long start = System.nanoTime();
        long pause = PAUSE_NANOS_MIN;
        while (!holds(condition)) {
            if (System.nanoTime() - start > BOUND.toNanos()) {
                throw new AssertionError("gave up waiting until " + description.get());
            }
            // Polling ever more slowly leaves the processor to whoever brings the condition about.
            LockSupport.parkNanos(pause);
            pause = Math.min(pause * 2, PAUSE_NANOS_MAX);
        }
    }

    /** Returns once the latch is open. */
    public static void opened(CountDownLatch latch) {
        try {
            if (!latch.await(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("gave up waiting for a latch");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a latch", interrupted);
        }
    }

    private static boolean holds(Callable<Boolean> condition) {
        if (Thread.currentThread().isInterrupted()) {
            throw new AssertionError("interrupted while waiting");
        }
        try {
            return condition.call();
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Exception failure) {
            throw new AssertionError("the awaited condition failed", failure);
        }
    }
}
