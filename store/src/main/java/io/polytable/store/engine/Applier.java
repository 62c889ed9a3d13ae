package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.Threads;
import io.polytable.store.memory.Generation;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.state.State;
import io.polytable.store.state.StateWriter;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread that applies sealed generations to the state, oldest first. It applies a generation only after
 * the log has synced it: the state is never ahead of the log. If the state cannot be written (a full disk), it reopens
 * the state and retries until that succeeds. Meanwhile writers are refused as soon as memory is full.
 */
final class Applier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    /** Back-pressure threshold, in full generations not yet applied: {@link #hasRoom} turns false. */
    private static final int ROOM_GENERATIONS = 4;

    /** Hard threshold: writers that did not check {@link #hasRoom} block. */
    private static final int FRESH_GENERATIONS_MAX = 7;

    /** The assumed minimum of a generation: with small generations there is no need to throttle this early. */
    private static final long ROOM_BYTES_MIN = 256L << 10;

    private static final long DRAIN_SECONDS_MAX = 120;
    private static final long DAMAGE_SECONDS_MAX = 30;

    private final EngineOptions options;
    private final RowMemory memory;
    private final Appender appender;
    private final CommitLog log;
    private final State state;
    private final StateWriter writer;
    private final Catalog catalog;
    private final Healing healing;
    private final Failure failure;
    private final Runnable releaseSnapshots;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held while a generation is applied or the state is reopened. */
    private final ReentrantLock applying = new ReentrantLock();

    /** Whether a failed apply left part of a generation in the state. Under {@link #applying}. */
    private boolean isMidway;

    private final Condition work = lock.newCondition();
    private final Condition done = lock.newCondition();
    private final List<Runnable> roomWaiters = new ArrayList<>();
    private final Thread thread;
    private Runnable onTick = () -> {};
    private volatile @Nullable StoreException stalled;
    private volatile long applied;
    private volatile boolean closed;

    /** Set before a look at whether there is space, after which the log's progress must be noticed. */
    private volatile boolean waitsForLog;

    Applier(
            EngineOptions options,
            RowMemory memory,
            Appender appender,
            CommitLog log,
            State state,
            Catalog catalog,
            Failure failure,
            Runnable releaseSnapshots) {
        this.releaseSnapshots = releaseSnapshots;
        this.failure = failure;
        this.options = options;
        this.memory = memory;
        this.appender = appender;
        this.log = log;
        this.state = state;
        this.catalog = catalog;
        writer = new StateWriter(state);
        healing = new Healing(log, state, catalog, writer, releaseSnapshots);
        applied = state.applied().position();
        stalled = state.readOnly().orElse(null);
        thread = new Thread(this::run, "polytable-apply");
        thread.setDaemon(true);
    }

    /** Sets the periodic task that runs between generations. Call before the start. */
    void onTick(Runnable action) {
        onTick = action;
    }

    void start() {
        log.onProgress(this::logProgressed);
        thread.start();
    }

    /** Whoever waits for the log must not wait for the applier's next tick. Called for each write of the log. */
    private void logProgressed() {
        if (waitsForLog && log.hasRoom()) {
            waitsForLog = false;
            tellWaiters();
        }
    }

    /** Wakes the applier after a generation was sealed. */
    void wake() {
        lock.lock();
        try {
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    long applied() {
        return applied;
    }

    boolean hasRoom() {
        // If the state is stalled or closed, waiting is pointless: let writers in, so that they get the error.
        return isAhead() || stalled != null || closed;
    }

    private boolean isAhead() {
        return memory.freshBytes() < bytesOf(ROOM_GENERATIONS) && log.hasRoom();
    }

    void whenRoom(Runnable action) {
        lock.lock();
        try {
            waitsForLog = true;
            if (!hasRoom()) {
                roomWaiters.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /**
     * Back-pressure for writers that did not check {@link #hasRoom}: waits for space, and refuses after a while or if
     * the state is stalled.
     *
     * @param mayWait false for a caller that holds locks others wait for: it is refused at once
     */
    void admit(BooleanSupplier mayWait) {
        if (isAhead() && state.readOnly().isEmpty()) {
            return;
        }
        refuseIfStalled();
        if (isFull() ? !mayWait.getAsBoolean() || !awaitRoom(options.roomWait()) : isLate(mayWait)) {
            failure.check();
            throw new StoreException(
                    StoreError.NO_ROOM,
                    log.hasRoom() ? "The state does not keep up" : "The log does not keep up",
                    Map.of("bytes", memory.freshBytes()));
        }
    }

    /** Whether the log, with space in memory, still has none after the wait. A writer that holds locks goes ahead. */
    private boolean isLate(BooleanSupplier mayWait) {
        return !log.hasRoom() && mayWait.getAsBoolean() && !awaitRoom(options.roomWait());
    }

    /** Returns whether there was space at some instant. Others may have used it since, which does no harm. */
    private boolean awaitRoom(Duration most) {
        boolean found = await(done, () -> (!isFull() && log.hasRoom()) || stalled != null, most.toNanos());
        refuseIfStalled();
        return found;
    }

    /**
     * Back-pressure for replay: waits as long as it takes, since the store cannot open earlier. Refuses if the state is
     * stalled.
     */
    void admitReplay() {
        while (isFull() && !closed) {
            boolean unusedFound = awaitRoom(options.timing().tick());
        }
    }

    private boolean isFull() {
        return memory.freshBytes() >= bytesOf(FRESH_GENERATIONS_MAX);
    }

    private long bytesOf(int generations) {
        return Math.max(ROOM_BYTES_MIN, options.generations().bytes()) * generations;
    }

    private void refuseIfStalled() {
        StoreException reason = stalled;
        if (reason != null) {
            throw refusal(reason);
        }
    }

    private static StoreException refusal(StoreException reason) {
        return new StoreException(StoreError.NO_ROOM, "The state cannot be written", Map.of(), reason);
    }

    /** Why {@link #admit} refuses writers now, if it does. */
    Optional<StoreException> refusal() {
        boolean refuses = memory.freshBytes() >= bytesOf(ROOM_GENERATIONS)
                || state.readOnly().isPresent();
        return refuses ? Optional.ofNullable(stalled).map(Applier::refusal) : Optional.empty();
    }

    /** Waits until everything committed so far is applied. */
    void drain() {
        drain(appender.endOfBegun());
    }

    /** Waits until everything up to the position is applied. */
    void drain(long position) {
        if (applied < position) {
            appender.seal();
            boolean unusedEnd = await(
                    done, () -> applied >= position || stalled != null, TimeUnit.SECONDS.toNanos(DRAIN_SECONDS_MAX));
            // The state may be about to recover: that is tried periodically.
            boolean unusedHealed = await(done, () -> applied >= position || isOver(stalled), healNanos());
        }
        StoreException reason = stalled;
        if (applied < position) {
            throw new StoreException(StoreError.IO, "The state does not keep up", Map.of("applied", applied), reason);
        }
    }

    /** How long an attempt to recover may take: after damage, all files are read first. */
    private long healNanos() {
        StoreException reason = stalled;
        return reason != null && reason.error() == StoreError.CORRUPT
                ? TimeUnit.SECONDS.toNanos(DAMAGE_SECONDS_MAX)
                : 2 * options.timing().retry().toNanos();
    }

    /** Flushes what was applied to the state's files. If that fails, the applier reopens the state. */
    void flushState() {
        try {
            state.flush();
        } catch (StoreException e) {
            stalled = e;
            throw e;
        }
    }

    /**
     * As {@link #flushState}, but if a compaction met damage, waits until the state was reopened without compactions of
     * the damaged table. Not for the applier's own thread, which does that.
     */
    void flushBesideDamage() {
        try {
            flushState();
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            wake();
            boolean unusedHealed =
                    await(done, () -> stalled == null || isOver(stalled), TimeUnit.SECONDS.toNanos(DAMAGE_SECONDS_MAX));
            flushState();
        }
    }

    /**
     * Hard-links the state's files, between two generations: in the middle of one they would hold parts of commits, and
     * of later ones than their position says. Returns their position.
     */
    State.Applied checkpoint(Path target) {
        applying.lock();
        try {
            if (isMidway) {
                throw new StoreException(
                        StoreError.IO,
                        "The state holds parts of commits, as it could not be written",
                        Map.of(),
                        stalled);
            }
            flushState();
            state.checkpoint(target);
            return state.flushed();
        } finally {
            applying.unlock();
        }
    }

    /** Returns whether the condition was met in time and before the applier was closed. */
    private boolean await(Condition signal, BooleanSupplier condition, long nanos) {
        lock.lock();
        try {
            long left = nanos;
            boolean met = isMet(signal, condition);
            while (!met && !closed && left > 0) {
                left = signal.awaitNanos(left);
                met = isMet(signal, condition);
            }
            return met;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isMet(Condition signal, BooleanSupplier condition) {
        if (signal == done) {
            // Before the look, so that no progress after it goes unnoticed.
            waitsForLog = true;
        }
        return condition.getAsBoolean();
    }

    private void run() {
        try {
            work();
        } catch (RuntimeException | Error e) {
            LOG.error("The thread that applies commits to the state ends", e);
            stalled = failure.threadEnded(thread.getName(), e);
        } finally {
            tellWaiters();
        }
    }

    private void work() {
        while (awaitWork()) {
            Optional<Generation> next = memory.oldestSealed();
            if (next.isPresent() || stalled != null) {
                applyOrStall(next);
            } else if (!memory.growing().isEmpty() && (isOldEnough(memory.growing()) || !hasRoom())) {
                appender.seal();
            } else {
                if (!hasRoom()) {
                    // Everything is applied and memory is still full: of rows pinned by snapshots.
                    releaseSnapshots.run();
                    appender.trim();
                }
                // Readers unpin rows too when they make space, without a notification.
                tellWaiters();
            }
            onTick.run();
        }
    }

    private boolean isOldEnough(Generation growing) {
        return growing.ageNanos() > options.generations().age().toNanos();
    }

    private boolean awaitWork() {
        boolean unusedAny = await(
                work, () -> memory.sealedCount() > 0, options.timing().tick().toNanos());
        return !closed && !isOver(stalled) && !Thread.currentThread().isInterrupted();
    }

    private void applyOrStall(Optional<Generation> next) {
        try {
            healAndApply(next);
        } catch (RuntimeException e) {
            stall(
                    e instanceof StoreException own
                            ? own
                            : new StoreException(StoreError.IO, "Applying failed", Map.of(), e));
        } finally {
            tellWaiters();
        }
    }

    private void healAndApply(Optional<Generation> next) {
        applying.lock();
        try {
            StoreException reason = stalled;
            if (reason != null) {
                healing.run(reason, applied);
                stalled = null;
            }
            next.ifPresent(this::apply);
            settle();
            if (reason != null) {
                LOG.warn("The state can be written again");
            }
        } finally {
            applying.unlock();
        }
    }

    /** Whether applying has ended until the store is opened again. */
    private static boolean isOver(@Nullable StoreException reason) {
        return reason != null && (reason.error() == StoreError.FAILED || reason.error() == StoreError.CLOSED);
    }

    private void stall(StoreException reason) {
        if (isOver(reason)) {
            LOG.debug("Applying ends", reason);
            if (reason.error() == StoreError.FAILED) {
                failure.set(reason);
            }
        } else if (stalled == null) {
            LOG.error("The state cannot be written; trying again: {}", String.valueOf(reason.getMessage()));
            LOG.debug("The state cannot be written", reason);
        }
        stalled = reason;
        boolean unusedNever = await(work, () -> false, options.timing().retry().toNanos());
    }

    private void apply(Generation generation) {
        appender.flush();
        if (log.synced() < generation.lastPosition()) {
            log.sync();
        }
        generation.startApply();
        isMidway = true;
        writer.apply(generation, catalog::stateOf);
        isMidway = false;
        appender.applied(generation);
        applied = generation.lastPosition();
        memory.notifyReachedSnapshots();
    }

    /** Releases the log up to what the state has flushed, and flushes the state if it lags too far behind. */
    private void settle() {
        long flushed = state.flushed().position();
        if (log.bytesSince(flushed) > options.generations().lagBytesMax()) {
            flushState();
            flushed = state.flushed().position();
        }
        log.release(flushed + 1);
    }

    private void tellWaiters() {
        List<Runnable> ready = new ArrayList<>();
        lock.lock();
        try {
            done.signalAll();
            if (hasRoom()) {
                ready.addAll(roomWaiters);
                roomWaiters.clear();
            }
        } finally {
            lock.unlock();
        }
        ready.forEach(Applier::tell);
    }

    /** A waiter that fails, for example because its executor was stopped, must not affect the others. */
    private static void tell(Runnable waiter) {
        try {
            waiter.run();
        } catch (RuntimeException e) {
            LOG.warn("Somebody who waits for space could not be notified", e);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
            done.signalAll();
        } finally {
            lock.unlock();
        }
        Threads.join(thread);
        tellWaiters();
    }
}
