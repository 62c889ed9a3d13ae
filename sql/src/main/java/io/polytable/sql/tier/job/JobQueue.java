package io.polytable.sql.tier.job;

import io.polytable.sql.model.catalog.DefinitionRows;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Batch;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs on one thread, oldest first. A job that fails is tried again after a while, longer each time, and is failed for
 * good after {@link #RETRIES_MAX}; a job that was running when the process ended is queued again.
 */
public final class JobQueue implements AutoCloseable {
    public static final int RETRIES_MAX = 5;

    /** Jobs that wait or run, all together. */
    public static final int WAITING_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(JobQueue.class);
    private static final int FINISHED_MAX = 300;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration POSTPONED = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    private final TableStore store;
    private final DefinitionRows rows;
    private final InstantSource clock;
    private final Work work;
    private final Map<Long, Job> jobs = new TreeMap<>();
    private final Map<Long, Long> notBefore = new TreeMap<>();
    private final Set<Long> resumed = new HashSet<>();
    private final Thread thread = new Thread(this::run, "sql-jobs");
    private @Nullable Job running;
    private Progress progress = new Progress();
    private boolean closed;

    /** Does a job; what it answers is the job's message. */
    public interface Work {
        /**
         * Runs until the job is done.
         *
         * @param again whether it was begun before, and may have left things half done
         */
        String run(Job job, boolean again, Progress progress);
    }

    /** Thrown out of work that has to wait for others: it is begun again a little later, as often as it takes. */
    public static final class Postponed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Postponed(String message) {
            super(message, null, false, false);
        }
    }

    public JobQueue(TableStore store, InstantSource clock, Work work) {
        this.store = store;
        this.clock = clock;
        this.work = work;
        rows = new DefinitionRows(store, "jobs");
        for (String json : rows.all()) {
            Job job = JobJson.parse(json);
            if (!job.status().isOver()) {
                resumed.add(job.number());
                job = job.with(Job.Status.QUEUED, "resumed", clock.instant());
            }
            jobs.put(job.number(), job);
        }
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** A new job; the batch keeps it, so that it may be part of a larger change. */
    public synchronized Job prepared(Batch batch, Job.Type type, Map<String, String> parameters) {
        if (jobs.values().stream().filter(job -> !job.status().isOver()).count() >= WAITING_MAX) {
            throw new SqlError(SqlCode.TOO_MANY, "too many jobs are waiting; try again later");
        }
        long number = store.ticket();
        Job job = new Job(
                type.name().toLowerCase(Locale.ROOT) + "-" + number,
                number,
                type,
                Job.Status.QUEUED,
                parameters,
                "",
                0,
                0,
                clock.instant(),
                null);
        rows.put(batch, job.id(), JobJson.text(job));
        return job;
    }

    /** Has a job run whose batch was committed. */
    public synchronized void enqueue(Job job) {
        jobs.put(job.number(), job);
        notifyAll();
    }

    public Job submit(Job.Type type, Map<String, String> parameters) {
        Batch batch = new Batch();
        Job job = prepared(batch, type, parameters);
        store.commit(batch).awaitDurable();
        enqueue(job);
        return job;
    }

    public synchronized Collection<Job> all() {
        List<Job> all = new ArrayList<>(jobs.values());
        Job current = running;
        if (current != null) {
            all.replaceAll(job -> job.number() == current.number() ? job.withProgress(progress.rows()) : job);
        }
        return all;
    }

    public synchronized boolean isWaiting(Job.Type type, String parameter, String value) {
        return jobs.values().stream()
                .anyMatch(job -> job.type() == type
                        && !job.status().isOver()
                        && job.parameter(parameter).equals(value));
    }

    /**
     * The job when it is over, or as it is when the time is.
     *
     * @throws SqlError when it was over so long ago that nobody knows what came of it
     */
    public synchronized Job await(Job job, Duration most) {
        // Converts to the longest possible wait where Duration.toNanos would overflow.
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(most);
        Job now = known(job);
        try {
            while (!now.status().isOver() && !closed) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
                now = known(job);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return now;
    }

    private Job known(Job job) {
        Job known = jobs.get(job.number());
        if (known == null) {
            throw new SqlError(
                    SqlCode.UNDEFINED_OBJECT, "job \"" + job.id() + "\" is over, and its result was not kept");
        }
        return known;
    }

    /** KILL JOB. */
    public synchronized void kill(String id) {
        Job job = jobs.values().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new SqlError(SqlCode.UNDEFINED_OBJECT, "job \"" + id + "\" does not exist"));
        if (job.status().isOver()) {
            throw new SqlError(
                    SqlCode.WRONG_OBJECT_TYPE,
                    "job \"" + id + "\" is over: " + job.status().name().toLowerCase(Locale.ROOT));
        }
        if (job.type() == Job.Type.CLEANUP) {
            throw new SqlError(
                    SqlCode.NOT_ALLOWED, "job \"" + id + "\" removes files of a dropped table and has to end");
        }
        Job current = running;
        if (current != null && current.number() == job.number()) {
            progress.cancel();
        } else {
            keep(job.with(Job.Status.CANCELLED, "killed", clock.instant()));
        }
    }

    private void run() {
        while (true) {
            Job job = next();
            if (job == null) {
                return;
            }
            done(job);
        }
    }

    private synchronized @Nullable Job next() {
        try {
            while (!closed) {
                long now = System.nanoTime();
                Job job = jobs.values().stream()
                        .filter(each -> !each.status().isOver())
                        .filter(each -> notBefore.getOrDefault(each.number(), now) - now <= 0)
                        .min(Comparator.comparingLong(Job::number))
                        .orElse(null);
                if (job != null && begun(job)) {
                    return running;
                }
                TimeUnit.MILLISECONDS.timedWait(this, FIRST_PAUSE.toMillis());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** Thrown out of here a failure of the store would end the thread, and jobs would wait for ever. */
    private boolean begun(Job job) {
        Job begun = job.with(Job.Status.RUNNING, "", clock.instant());
        try {
            keep(begun);
        } catch (RuntimeException failure) {
            LOG.warn("Job {} cannot begin yet", job.id(), failure);
            jobs.put(job.number(), job);
            notBefore.put(job.number(), System.nanoTime() + POSTPONED.toNanos());
            return false;
        }
        progress = new Progress();
        running = begun;
        return true;
    }

    private void done(Job job) {
        Job.Status status;
        String message;
        try {
            message = work.run(job, job.retries() > 0 || resumed.contains(job.number()), progress);
            status = Job.Status.COMPLETED;
        } catch (Progress.Cancelled cancelled) {
            status = progress.isStopping() ? Job.Status.QUEUED : Job.Status.CANCELLED;
            message = progress.isStopping() ? "interrupted" : "killed";
        } catch (Postponed waiting) {
            status = Job.Status.QUEUED;
            message = String.valueOf(waiting.getMessage());
        } catch (SqlError refused) {
            status = Job.Status.FAILED;
            message = refused.text();
        } catch (StorageFailure world) {
            LOG.warn("Job {} failed: {}", job.id(), world.getMessage());
            status = retried(job);
            message = String.valueOf(world.getMessage());
        } catch (RuntimeException | Error failure) {
            // An error must not end the thread: jobs would wait for ever, and nobody would hear of it.
            LOG.warn("Job {} failed", job.id(), failure);
            status = retried(job);
            message = String.valueOf(failure.getMessage());
        }
        ended(job, status, message);
    }

    private Job.Status retried(Job job) {
        if (progress.isStopping()) {
            return Job.Status.QUEUED;
        }
        return job.retries() >= RETRIES_MAX ? Job.Status.FAILED : Job.Status.RETRYING;
    }

    private synchronized void ended(Job job, Job.Status status, String message) {
        Job after = job.withProgress(progress.rows()).with(status, message, clock.instant());
        running = null;
        if (status == Job.Status.QUEUED) {
            notBefore.put(job.number(), System.nanoTime() + POSTPONED.toNanos());
        } else if (status == Job.Status.RETRYING) {
            long pause = FIRST_PAUSE.toNanos() << Math.min(after.retries(), 8);
            notBefore.put(job.number(), System.nanoTime() + pause);
        } else {
            notBefore.remove(job.number());
        }
        try {
            keep(after);
        } catch (RuntimeException closing) {
            // The store is closed or failed: the job is taken up at the next start, as if it had been running still.
            LOG.debug("The end of job {} cannot be kept", job.id(), closing);
            jobs.put(after.number(), after);
        }
        notifyAll();
    }

    private void keep(Job job) {
        Batch batch = new Batch();
        rows.put(batch, job.id(), JobJson.text(job));
        jobs.put(job.number(), job);
        // Only those that are over count: a long queue must not push out what its clients still ask about.
        List<Job> over =
                jobs.values().stream().filter(each -> each.status().isOver()).toList();
        for (Job old : over.subList(0, Math.max(0, over.size() - FINISHED_MAX))) {
            rows.delete(batch, old.id());
            jobs.remove(old.number());
        }
        store.commit(batch).awaitDurable();
        notifyAll();
    }

    /** The last moment at which a job of the type about the table ended well. */
    public synchronized Instant lastEnd(Job.Type type, String table) {
        Instant last = Instant.EPOCH;
        for (Job job : jobs.values()) {
            Instant finished = job.finishedAt();
            boolean counts = job.type() == type
                    && finished != null
                    && job.parameter("table").equals(table);
            if (counts && finished != null && finished.isAfter(last)) {
                last = finished;
            }
        }
        return last;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            progress.stop();
            notifyAll();
        }
        thread.interrupt();
        try {
            TimeUnit.MILLISECONDS.timedJoin(thread, STOP_MAX.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
