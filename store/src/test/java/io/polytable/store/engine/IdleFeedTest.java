package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower with old values that never asks: it expires, and costs nobody else anything. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class IdleFeedTest {
    private static final int FEED_BYTES = 4 << 20;
    private static final int VALUE_BYTES = 64 << 10;

    /** More than half of a quarter of the bytes. */
    private static final int VALUES = FEED_BYTES / 4 / VALUE_BYTES / 4 * 3;

    /** More than a first follower may be behind, and more than old values may take. */
    private static final int MANY_RECORDS = 12_000;

    private static final Bytes SMALL = Bytes.of(new byte[400]);

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private Engine engine;
    private Table table;

    @BeforeEach
    void open() {
        engine = new EngineFixture(directory)
                .open(EngineOptions.DEFAULT
                        .withMemory(64 << 20, 64 << 20)
                        .withGenerations(8 << 20, Duration.ofMillis(10))
                        .withFeedMemory(FEED_BYTES)
                        .withTiming(EngineFixture.quick(nanos)));
        table = engine.create(spec("t"));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void putMany(int values, Bytes value) {
        for (int i = 0; i < values; i++) {
            engine.commit(new Batch().put(table, key("k" + i), value));
        }
        engine.flush();
    }

    private ChangeFeed since() {
        try (Snapshot snapshot = engine.snapshot()) {
            return snapshot.changes(Set.of(table));
        }
    }

    private static List<Change> all(ChangeFeed feed) {
        List<Change> told = new ArrayList<>();
        for (List<Change> some = feed.poll(100, Duration.ZERO); !some.isEmpty(); some = feed.poll(100, Duration.ZERO)) {
            told.addAll(some);
        }
        return told;
    }

    private static void assertExpired(ChangeFeed feed) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> feed.poll(1, Duration.ZERO))
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
    }

    /** Until the others count as idle, it is the newcomer that is told to try again. */
    private ChangeFeed openInTheEnd(Snapshot snapshot) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> snapshot.changes(Set.of(table)))
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.POSITION_EXPIRED));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        return snapshot.changes(Set.of(table));
    }

    @Test
    void losesWhatWasHeldForItWhenAnotherNeedsTheRoom() {
        try (Snapshot snapshot = engine.snapshot()) {
            putMany(VALUES, Bytes.of(new byte[VALUE_BYTES]));
            try (ChangeFeed idle = snapshot.changes(Set.of(table));
                    ChangeFeed second = openInTheEnd(snapshot)) {
                Position untold = idle.position();
                assertThat(all(second)).hasSize(VALUES);
                assertExpired(idle);
                assertThat(idle.position()).isEqualTo(untold).isEqualTo(snapshot.position());
            }
        }
    }

    /** Nobody reads the tail meanwhile: the later one must not go through what only the idle one is to be told. */
    @Test
    void isLeftBehindByALaterOne() {
        try (ChangeFeed idle = since()) {
            putMany(MANY_RECORDS, SMALL);
            try (ChangeFeed later = since()) {
                put(engine, table, "k0", "newer");
                engine.flush();
                List<Change> told = all(later);
                assertThat(told).hasSize(1);
                assertThat(told.get(0).before()).contains(SMALL);
            }
            assertExpired(idle);
        }
    }
}
