package io.polytable.sql.tier.job;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.work.BackgroundJob;
import io.polytable.sql.model.catalog.DefinitionRows;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs on one thread, oldest first. A failed job is retried with growing pauses, and fails for good after
 * {@link #RETRIES_MAX}. A job that deletes the files of a dropped table is retried until it succeeds, since nothing else
 * would delete them; other jobs that are ready go first. A job that was running when the process ended is queued again.
 */
public final class JobQueue implements AutoCloseable {
    public static final int RETRIES_MAX = 5;

    /** Limit of queued and running jobs. */
    public static final int WAITING_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(JobQueue.class);

    /** How many finished jobs are kept, and for how long. */
    public static final int FINISHED_MAX = 300;

    public static final Duration FINISHED_AGE_MAX = Duration.ofDays(7);

    private static final Duration FORGET_EVERY = Duration.ofHours(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final int PAUSES_MAX = 8;
    private static final Duration POSTPONED = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    private final TableStore store;
    private final DefinitionRows rows;
    private final InstantSource clock;
    private final Work work;
    private final Duration firstPause;
    private final Map<Long, Job> jobs = new TreeMap<>();
    private final Map<Long, Long> notBefore = new TreeMap<>();
    private final Set<Long> resumed = new HashSet<>();
    private final BackgroundJob jobRunner = new BackgroundJob("sql-jobs", this::run);
    private @Nullable Job running;
    private Instant forgotten = Instant.EPOCH;
    private JobProgress progress = new JobProgress();
    private boolean closed;

    /** Runs a job and returns its message. */
    public interface Work {
        /**
         * Runs until the job is done.
         *
         * @param again whether it was started before, and may have left partial work
         */
        String run(Job job, boolean again, JobProgress progress);
    }

    /** Thrown by a job that must wait for others: it is restarted a little later, without a limit of attempts. */
    public static final class Postponed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Postponed(String message) {
            super(message, null, false, false);
        }
    }

    public JobQueue(TableStore store, InstantSource clock, Work work) {
        this(store, clock, work, FIRST_PAUSE);
    }

    /** @param firstPause before the first retry; each further one waits twice as long, up to a limit */
    JobQueue(TableStore store, InstantSource clock, Work work, Duration firstPause) {
        this.store = store;
        this.clock = clock;
        this.work = work;
        this.firstPause = firstPause;
        rows = new DefinitionRows(store, "jobs");
        for (String json : rows.all()) {
            Job job = JobJson.parse(json);
            // Earlier versions gave up after some retries.
            boolean givenUp = isEndless(job) && job.status() == Job.Status.FAILED;
            if (!job.status().isOver() || givenUp) {
                resumed.add(job.number());
                job = job.with(Job.Status.QUEUED, "resumed", clock.instant());
            }
            jobs.put(job.number(), job);
        }
    }

    public void start() {
        jobRunner.start();
    }

    /** Adds a new job to the batch, so that it can be part of a larger commit. */
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
                OptionalLong.empty(),
                0,
                clock.instant(),
                null);
        rows.put(batch, job.id(), JobJson.text(job));
        return job;
    }

    /** Queues a job whose batch was committed. */
    public synchronized void enqueue(Job job) {
        jobs.put(job.number(), job);
        notifyAll();
    }

    public Job submit(Job.Type type, Map<String, String> parameters) {
        Batch batch = new Batch();
        Job job = prepared(batch, type, parameters);
        AnswerGate.settle(store.commit(batch));
        enqueue(job);
        return job;
    }

    public synchronized Collection<Job> all() {
        List<Job> all = new ArrayList<>(jobs.values());
        Job current = running;
        if (current != null) {
            all.replaceAll(job -> job.number() == current.number() ? job.withProgress(progress) : job);
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
     * Waits until the job ends or the time is over, and returns its state.
     *
     * @throws SqlError when it ended so long ago that its result is no longer kept
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

    /** Cancels a job, for KILL JOB. */
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
            throw new SqlError(SqlCode.NOT_ALLOWED, "job \"" + id + "\" removes files of a dropped table and must end");
        }
        Job current = running;
        if (current != null && current.number() == job.number()) {
            progress.cancel();
        } else {
            keep(job.with(Job.Status.CANCELLED, "killed", clock.instant()));
        }
    }

    private void run() {
        boolean open = true;
        while (open) {
            try {
                Job job = next();
                open = job != null;
                if (job != null) {
                    done(job);
                }
            } catch (RuntimeException | Error failure) {
                open = survived(failure);
            }
        }
    }

    /**
     * Postpones the job that runs, if any, after a failure of the queue itself. The thread must not end: all jobs would
     * wait forever, and nothing would report it.
     */
    private synchronized boolean survived(Throwable failure) {
        Job job = running;
        running = null;
        if (job != null) {
            resumed.add(job.number());
            notBefore.put(job.number(), System.nanoTime() + POSTPONED.toNanos());
        }
        LOG.error("The queue of jobs failed; it continues", failure);
        try {
            if (!closed) {
                // Whatever fails may fail again at once.
                TimeUnit.MILLISECONDS.timedWait(this, FIRST_PAUSE.toMillis());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return !closed;
    }

    private synchronized @Nullable Job next() {
        try {
            while (!closed) {
                long now = System.nanoTime();
                Job job = jobs.values().stream()
                        .filter(each -> !each.status().isOver())
                        .filter(each -> notBefore.getOrDefault(each.number(), now) - now <= 0)
                        .min(Comparator.comparing((Job each) -> isEndless(each) && each.retries() > 0)
                                .thenComparingLong(Job::number))
                        .orElse(null);
                if (job != null && begun(job)) {
                    return running;
                }
                forgetOld();
                TimeUnit.MILLISECONDS.timedWait(this, FIRST_PAUSE.toMillis());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** Catches failures of the store, which would end the thread and leave all jobs waiting forever. */
    private boolean begun(Job job) {
        Job begun = job.with(Job.Status.RUNNING, "", clock.instant());
        try {
            keep(begun);
        } catch (RuntimeException | Error failure) {
            LOG.warn("Job {} cannot begin yet", job.id(), failure);
            jobs.put(job.number(), job);
            notBefore.put(job.number(), System.nanoTime() + POSTPONED.toNanos());
            return false;
        }
        progress = new JobProgress();
        running = begun;
        return true;
    }

    private void done(Job job) {
        Job.Status status;
        String message;
        try {
            message = work.run(job, job.retries() > 0 || resumed.contains(job.number()), progress);
            status = Job.Status.COMPLETED;
        } catch (JobProgress.Cancelled cancelled) {
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
            // An error must not end the thread: all jobs would wait forever, and nothing would report it.
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
        return job.retries() >= RETRIES_MAX && !isEndless(job) ? Job.Status.FAILED : Job.Status.RETRYING;
    }

    private static boolean isEndless(Job job) {
        return job.type() == Job.Type.CLEANUP;
    }

    private synchronized void ended(Job job, Job.Status status, String message) {
        Job after = job.withProgress(progress).with(status, message, clock.instant());
        running = null;
        if (status == Job.Status.QUEUED) {
            notBefore.put(job.number(), System.nanoTime() + POSTPONED.toNanos());
        } else if (status == Job.Status.RETRYING) {
            long pause = firstPause.toNanos() << Math.min(after.retries(), PAUSES_MAX);
            notBefore.put(job.number(), System.nanoTime() + pause);
        } else {
            notBefore.remove(job.number());
        }
        try {
            keep(after);
        } catch (RuntimeException | Error closing) {
            // The store is closed or has failed. The next start resumes the job as if it had still been running.
            LOG.debug("The end of job {} cannot be kept", job.id(), closing);
            jobs.put(after.number(), after);
        }
        notifyAll();
    }

    private void keep(Job job) {
        Batch batch = new Batch();
        rows.put(batch, job.id(), JobJson.text(job));
        jobs.put(job.number(), job);
        forget(batch);
        AnswerGate.settle(store.commit(batch));
        notifyAll();
    }

    /** Only finished jobs count: a long queue must not evict results that clients still ask for. */
    private void forget(Batch batch) {
        List<Job> over =
                jobs.values().stream().filter(each -> each.status().isOver()).toList();
        Instant before = clock.instant().minus(FINISHED_AGE_MAX);
        for (int i = 0; i < over.size(); i++) {
            Job old = over.get(i);
            Instant finished = old.finishedAt();
            if (i < over.size() - FINISHED_MAX || (finished != null && finished.isBefore(before))) {
                rows.delete(batch, old.id());
                jobs.remove(old.number());
            }
        }
        forgotten = clock.instant();
    }

    /** Removes old jobs also while no job runs. */
    private void forgetOld() {
        if (forgotten.plus(FORGET_EVERY).isAfter(clock.instant())) {
            return;
        }
        Batch batch = new Batch();
        forget(batch);
        if (!batch.isEmpty()) {
            store.commit(batch);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            progress.stop();
            notifyAll();
        }
        jobRunner.interrupt();
        jobRunner.awaitEnd(STOP_MAX);
    }
}
