package io.polytable.sql.tier.job;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A background job.
 *
 * @param id the name that KILL JOB takes
 * @param number a ticket: the order of submission
 * @param parameters what the job is about, by name
 * @param progress rows done so far
 * @param total rows to do, as far as known; empty for a job that knows only at its end
 */
public record Job(
        String id,
        long number,
        Type type,
        Status status,
        Map<String, String> parameters,
        String message,
        long progress,
        OptionalLong total,
        int retries,
        Instant createdAt,
        @Nullable Instant finishedAt) {
    public enum Type {
        FLUSH,
        COMPACT,
        RETENTION,
        CLEANUP,
        EXPORT,
        IMPORT
    }

    public enum Status {
        QUEUED,
        RUNNING,
        RETRYING,
        COMPLETED,
        FAILED,
        CANCELLED;

        public boolean isOver() {
            return this == COMPLETED || this == FAILED || this == CANCELLED;
        }
    }

    public Job {
        parameters = Map.copyOf(parameters);
    }

    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    Job with(Status next, String text, Instant now) {
        return new Job(
                id,
                number,
                type,
                next,
                parameters,
                text,
                progress,
                total,
                next == Status.RETRYING ? retries + 1 : retries,
                createdAt,
                next.isOver() ? now : null);
    }

    Job withProgress(JobProgress made) {
        return new Job(
                id,
                number,
                type,
                status,
                parameters,
                message,
                made.rows(),
                made.total(),
                retries,
                createdAt,
                finishedAt);
    }
}
