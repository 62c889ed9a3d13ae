package io.polytable.store.feed;

import static java.lang.Thread.State.TIMED_WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.engine.EngineFixture;
import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds whose commits are too large for the tail: they wait for them, read them by themselves and hold nothing. */
class FeedWaitTest {
    private static final FeedMemory NONE = new FeedMemory(0, 0, 0, 1);
    private static final Duration WAIT = Await.BOUND;

    /** More than a poll makes before it waits. */
    private static final int LOOKS = 24;

    private final Table table = new MemoryStore().create(EngineFixture.spec("t"));

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private FileLog log;

    @BeforeEach
    void open() {
        log = FileLog.open(directory, FileLogOptions.defaults());
        Batch batch = new Batch().put(table, EngineFixture.key("k"), Bytes.utf8("v"));
        byte[] record = new byte[(int) batch.sizeBytes()];
        batch.copyTo(record, 0);
        log.append(RecordBatches.after(log, List.of(record)));
    }

    @AfterEach
    void close() {
        log.close();
    }

    private Feeds feeds(LongSupplier durable) {
        return new Feeds(
                log,
                NONE,
                new ReaderPool(),
                durable,
                record -> Position.of(1, record),
                record -> {},
                () -> {
                    throw new StoreException(StoreError.TOO_MANY, "Nobody asked for old values");
                },
                error -> {},
                System::nanoTime);
    }

    /** The commit becomes durable at each of the looks at that position in turn. */
    @Test
    void aCommitIsToldAtOnceWheneverItBecomesDurable() {
        for (int before = 0; before < LOOKS; before++) {
            AtomicInteger looks = new AtomicInteger(-before);
            Feeds[] feeds = new Feeds[1];
            feeds[0] = feeds(() -> {
                int look = looks.incrementAndGet();
                if (look == 1 && feeds[0] != null) {
                    feeds[0].progressed();
                }
                return look > 0 ? log.end() : 0;
            });
            long began = System.nanoTime();
            try (ChangeFeed feed = feeds[0].open(Set.of(table), 0, () -> {})) {
                assertThat(pollOnce(feed, feeds[0], looks))
                        .as("durable after %d looks", before)
                        .hasSize(1);
            }
            assertThat(System.nanoTime() - began).as("after %d looks", before).isLessThan(WAIT.toNanos());
            feeds[0].close();
        }
    }

    /** If nobody looked often enough, the commit becomes durable while the poll waits. */
    private List<Change> pollOnce(ChangeFeed feed, Feeds feeds, AtomicInteger looks) {
        Thread polling = Thread.currentThread();
        Thread later = new Thread(() -> {
            Await.until("the poll waits or ends", () -> looks.get() > 0 || polling.getState() == TIMED_WAITING);
            if (looks.get() <= 0) {
                looks.set(1);
                feeds.progressed();
            }
        });
        later.start();
        return feed.poll(10, WAIT);
    }

    @Test
    void whatWasToldIsNoLongerHeld() {
        Feeds feeds = feeds(log::end);
        try (ChangeFeed feed = feeds.open(Set.of(table), 0, () -> {})) {
            WeakReference<Bytes> value = new WeakReference<>(
                    feed.poll(1, Duration.ZERO).get(0).value().orElseThrow());
            Await.until("the value is collected", () -> {
                System.gc();
                return value.refersTo(null);
            });
            assertThat(feed.position()).isEqualTo(Position.of(1, 1));
        }
        feeds.close();
    }
}
