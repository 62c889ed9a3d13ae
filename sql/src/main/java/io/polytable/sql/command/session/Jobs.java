package io.polytable.sql.command.session;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The record of housekeeping runs for {@code system.jobs}: those in progress and the latest that ended. */
public final class Jobs {
    private static final int FINISHED_MAX = 200;

    private final InstantSource clock;
    private final AtomicLong numbers = new AtomicLong();
    private final Deque<Job> jobs = new ArrayDeque<>();

    /** One run. */
    public static final class Job {
        private final String id;
        private final String type;
        private final String parameters;
        private final Instant created;
        private String status = "running";
        private String message = "";
        private @Nullable Instant finished;

        private Job(String id, String type, String parameters, Instant created) {
            this.id = id;
            this.type = type;
            this.parameters = parameters;
            this.created = created;
        }
    }

    public Jobs(InstantSource clock) {
        this.clock = clock;
    }

    public synchronized Job begin(String type, String parameters) {
        Job job = new Job(type + "-" + numbers.incrementAndGet(), type, parameters, clock.instant());
        jobs.addLast(job);
        if (jobs.size() > FINISHED_MAX) {
            jobs.removeFirst();
        }
        return job;
    }

    public synchronized void end(Job job, boolean succeeded, String message) {
        job.status = succeeded ? "completed" : "failed";
        job.message = message;
        job.finished = clock.instant();
    }

    public synchronized List<@Nullable Object[]> rows() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Job job : jobs) {
            rows.add(new @Nullable Object[] {
                job.id, job.type, job.status, job.parameters, job.message, job.created, job.finished
            });
        }
        return rows;
    }
}
