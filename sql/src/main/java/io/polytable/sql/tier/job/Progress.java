package io.polytable.sql.tier.job;

import java.util.concurrent.atomic.AtomicLong;

/** The progress of a job, and the signal to cancel it, which the job polls. */
public final class Progress {
    private final AtomicLong rows = new AtomicLong();
    private volatile boolean cancelled;
    private volatile boolean stopping;

    /** Thrown in a job that was cancelled. */
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

    /** Sets the final number of rows. */
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

    /** Whether the server is stopping, so that the job resumes after its next start. */
    boolean isStopping() {
        return stopping && !cancelled;
    }
}
