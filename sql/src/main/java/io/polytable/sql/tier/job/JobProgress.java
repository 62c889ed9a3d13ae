package io.polytable.sql.tier.job;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of a job, and the signal to cancel it, which the job polls. */
public final class JobProgress {
    private static final long UNKNOWN = -1;

    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong total = new AtomicLong(UNKNOWN);
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

    /** Adds to the rows that are to be done. */
    public void expect(long more) {
        total.accumulateAndGet(more, (known, added) -> Math.max(known, 0) + added);
    }

    /** Sets the final number of rows. */
    public void end(long all) {
        rows.set(all);
        total.set(all);
    }

    OptionalLong total() {
        long known = total.get();
        return known == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(known);
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
