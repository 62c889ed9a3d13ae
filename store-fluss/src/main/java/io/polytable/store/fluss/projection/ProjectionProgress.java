package io.polytable.store.fluss.projection;

import io.polytable.table.Position;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of a projection, and requests to it. Thread-safe. */
final class ProjectionProgress {
    private final AtomicLong rows = new AtomicLong();
    // Requests so far, those that the running rebuild includes, and those fulfilled: one may come during a rebuild.
    private long rebuildsAsked;
    private long rebuildsBegun;
    private long rebuildsDone;
    private Optional<Long> rebuildRows = Optional.empty();
    private Optional<String> trouble = Optional.empty();
    private long begun;
    private long passed;
    private long windows;
    private long rebuilds;
    private long shownRecord;
    private long shownNanos = System.nanoTime();
    private long beganNanos = shownNanos;

    AtomicLong rows() {
        return rows;
    }

    synchronized long mark() {
        return begun + 1;
    }

    synchronized boolean hasPassed(long mark) {
        return passed >= mark;
    }

    synchronized long windows() {
        return windows;
    }

    /** Starts a window, which will include everything committed by now. */
    synchronized void begin() {
        begun++;
        beganNanos = System.nanoTime();
    }

    synchronized void end(Position position) {
        passed = begun;
        windows++;
        trouble = Optional.empty();
        shownRecord = position.records();
        shownNanos = beganNanos;
    }

    synchronized void askForRebuild() {
        rebuildsAsked++;
        rebuildRows = Optional.of(rows.get());
    }

    synchronized boolean isRebuildWanted() {
        return rebuildsAsked > rebuildsDone;
    }

    synchronized void beginRebuild() {
        rebuildsBegun = rebuildsAsked;
        rebuildRows = Optional.of(rows.get());
    }

    synchronized void endRebuild() {
        rebuildsDone = rebuildsBegun;
        rebuildRows = isRebuildWanted() ? Optional.of(rows.get()) : Optional.empty();
        rebuilds++;
    }

    /** Returns whether the reason differs from the last one. */
    synchronized boolean trouble(String reason) {
        boolean isNews = !trouble.equals(Optional.of(reason));
        trouble = Optional.of(reason);
        return isNews;
    }

    synchronized ProjectionStatus status(long endRecord) {
        long lag = Math.max(0, endRecord - shownRecord);
        return new ProjectionStatus(
                lag,
                lag == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - shownNanos),
                rows.get(),
                rebuildRows.map(before -> rows.get() - before),
                rebuilds,
                trouble);
    }
}
