package io.polytable.sql.tier.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.model.catalog.DefinitionRows;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JobQueueTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final AtomicInteger refusals = new AtomicInteger();
    private final ForwardingStore store = new ForwardingStore(new MemoryStore()) {
        @Override
        public Commit commit(Batch batch) {
            if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new StoreException(StoreError.NO_ROOM, "Not now");
            }
            return super.commit(batch);
        }
    };

    private static List<Job> submitted(JobQueue queue, int count) {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(queue.submit(Job.Type.EXPORT, Map.of()));
        }
        return jobs;
    }

    @Test
    void aLongQueueDoesNotPushOutWhatItsClientsAwait() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        JobQueue.Work work = (job, again, progress) -> {
            if (done.incrementAndGet() == 2) {
                try {
                    go.await();
                } catch (InterruptedException stopping) {
                    Thread.currentThread().interrupt();
                }
            }
            return "7 rows";
        };
        try (JobQueue queue = new JobQueue(store, InstantSource.system(), work)) {
            List<Job> jobs = submitted(queue, 400);
            queue.start();
            assertThat(queue.await(jobs.get(0), LONG).message()).isEqualTo("7 rows");
            go.countDown();
            assertThat(queue.await(jobs.get(399), LONG).status()).isEqualTo(Job.Status.COMPLETED);
            assertThat(queue.all()).hasSize(300);
            assertThatThrownBy(() -> queue.await(jobs.get(0), LONG))
                    .isInstanceOf(SqlError.class)
                    .hasMessageContaining("its result was not kept");
        }
    }

    @Test
    void finishedJobsAreForgottenAfterAWeek() {
        ManualClock clock = new ManualClock();
        try (JobQueue queue = new JobQueue(store, clock, (job, again, progress) -> "done")) {
            Job old = submitted(queue, 1).get(0);
            queue.start();
            assertThat(queue.await(old, LONG).status()).isEqualTo(Job.Status.COMPLETED);
            clock.advance(JobQueue.FINISHED_AGE_MAX.minusHours(1));
            Job later = submitted(queue, 1).get(0);
            assertThat(queue.await(later, LONG).status()).isEqualTo(Job.Status.COMPLETED);
            assertThat(queue.all()).extracting(Job::number).containsExactly(old.number(), later.number());
            clock.advance(Duration.ofHours(2));
            Await.until("the old job is forgotten", () -> queue.all().size() == 1);
            assertThat(queue.all()).extracting(Job::number).containsExactly(later.number());
            assertThat(new DefinitionRows(store, "jobs").all()).hasSize(1);
        }
    }

    @Test
    void aJobShowsHowMuchIsToDo() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        JobQueue.Work work = (job, again, progress) -> {
            progress.expect(30);
            progress.expect(70);
            progress.add(40);
            begun.countDown();
            try {
                looked.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
            progress.end(90);
            return "done";
        };
        try (JobQueue queue = new JobQueue(store, InstantSource.system(), work)) {
            Job job = submitted(queue, 1).get(0);
            assertThat(job.total()).isEmpty();
            queue.start();
            begun.await();
            Job running = queue.all().iterator().next();
            assertThat(running.progress()).isEqualTo(40);
            assertThat(running.total()).hasValue(100);
            looked.countDown();
            assertThat(queue.await(job, LONG).total()).hasValue(90);
        }
        try (JobQueue again = new JobQueue(store, InstantSource.system(), work)) {
            assertThat(again.all().iterator().next().total()).hasValue(90);
        }
    }

    /** The clock is asked between jobs, where no job can be blamed. */
    @Test
    void anErrorOfTheQueueItselfEndsNoThread() {
        AtomicInteger errors = new AtomicInteger();
        InstantSource clock = () -> {
            if (errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("By the test's will");
            }
            return Instant.EPOCH;
        };
        JobQueue.Work work = (job, again, progress) -> {
            errors.set(again ? 0 : 1);
            return "done";
        };
        try (JobQueue queue = new JobQueue(store, clock, work)) {
            List<Job> jobs = submitted(queue, 2);
            errors.set(2);
            queue.start();
            for (Job job : jobs) {
                assertThat(queue.await(job, LONG).status()).isEqualTo(Job.Status.COMPLETED);
            }
        }
    }

    @Test
    void theLongestWaitIsNoOverflow() {
        try (JobQueue queue = new JobQueue(store, InstantSource.system(), (job, again, progress) -> "done")) {
            Job job = submitted(queue, 1).get(0);
            queue.start();
            assertThat(queue.await(job, Duration.ofHours(9_999_999)).status()).isEqualTo(Job.Status.COMPLETED);
        }
    }

    @Test
    void aStoreThatRefusesForAWhileEndsNoThread() {
        try (JobQueue queue = new JobQueue(store, InstantSource.system(), (job, again, progress) -> "done")) {
            List<Job> jobs = submitted(queue, 2);
            refusals.set(2);
            queue.start();
            for (Job job : jobs) {
                assertThat(queue.await(job, LONG).status()).isEqualTo(Job.Status.COMPLETED);
            }
        }
    }

    /** Nothing else would delete the files of a dropped table. */
    @Test
    void aCleanupIsRetriedUntilTheStorageAnswers() {
        AtomicInteger attempts = new AtomicInteger();
        JobQueue.Work work = (job, again, progress) -> {
            if (attempts.incrementAndGet() <= 3 * JobQueue.RETRIES_MAX) {
                throw new StorageFailure("The storage is away", new IOException("test"));
            }
            return "3 files removed";
        };
        try (JobQueue queue = new JobQueue(store, InstantSource.system(), work, Duration.ofNanos(1))) {
            Job job = queue.submit(Job.Type.CLEANUP, Map.of());
            queue.start();
            Job ended = queue.await(job, LONG);
            assertThat(ended.status()).isEqualTo(Job.Status.COMPLETED);
            assertThat(ended.message()).isEqualTo("3 files removed");
        }
    }

    @Test
    void aCleanupThatWasGivenUpIsResumedAtTheNextStart() {
        Job failed = new Job(
                "cleanup-5",
                5,
                Job.Type.CLEANUP,
                Job.Status.FAILED,
                Map.of(),
                "away",
                0,
                OptionalLong.empty(),
                5,
                Instant.EPOCH,
                Instant.EPOCH);
        Batch batch = new Batch();
        new DefinitionRows(store, "jobs").put(batch, failed.id(), JobJson.text(failed));
        store.commit(batch);
        try (JobQueue queue =
                new JobQueue(store, InstantSource.system(), (job, again, progress) -> "again: " + again)) {
            queue.start();
            assertThat(queue.await(failed, LONG).message()).isEqualTo("again: true");
        }
    }

    /** During a long outage many cleanups are due again and again. */
    @Test
    void otherJobsGoBeforeARetriedCleanup() {
        AtomicInteger attempts = new AtomicInteger();
        List<Job.Type> order = Collections.synchronizedList(new ArrayList<>());
        JobQueue[] queue = new JobQueue[1];
        JobQueue.Work work = (job, again, progress) -> {
            order.add(job.type());
            if (job.type() == Job.Type.CLEANUP && attempts.incrementAndGet() == 1) {
                queue[0].submit(Job.Type.FLUSH, Map.of());
                throw new StorageFailure("The storage is away", new IOException("test"));
            }
            return "";
        };
        try (JobQueue opened = new JobQueue(store, InstantSource.system(), work, Duration.ofNanos(1))) {
            queue[0] = opened;
            Job cleanup = opened.submit(Job.Type.CLEANUP, Map.of());
            opened.start();
            opened.await(cleanup, LONG);
            assertThat(order).containsExactly(Job.Type.CLEANUP, Job.Type.FLUSH, Job.Type.CLEANUP);
        }
    }
}
