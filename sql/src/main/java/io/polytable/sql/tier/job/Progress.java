package io.polytable.sql.tier.job;

import java.util.concurrent.atomic.AtomicLong;

/** How far a job is, and whether it shall end: asked by the work now and then. */
public final class Progress {
    private final AtomicLong rows = new AtomicLong();
    private volatile boolean cancelled;
    private volatile boolean stopping;

    /** Thrown out of work that was cancelled. */
    public static final class Cancelled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Cancelled() {
            super("cancelled", null, false, false);
        }
    }

    public void add(long more) {
        rows.addAndGet(more);
        check();
    }

    /** The work is done, with so many rows in all. */
    public void end(long all) {
        rows.set(all);
    }

    public void check() {
        if (cancelled || stopping) {
            throw new Cancelled();
        }
    }

    public long rows() {
        return rows.get();
    }

    void cancel() {
        cancelled = true;
    }

    void stop() {
        stopping = true;
    }

    /** Whether the server stops, so that the work goes on after its next start. */
    boolean isStopping() {
        return stopping && !cancelled;
    }
}
