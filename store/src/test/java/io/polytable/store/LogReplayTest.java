package io.polytable.store;

import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.LogReplay.Until;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineFixture;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLog;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backup and the log that follows it bring back any moment after the backup. */
@Timeout(120)
class LogReplayTest {
    private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");

    /** After any backup of this test, whose times are those of the machine's clock. */
    private static final Instant LATER = Instant.parse("2200-01-01T00:00:00Z");

    @TempDir
    private Path directory = Path.of("");

    private final AtomicLong millis = new AtomicLong(LATER.toEpochMilli());

    private Path path(String name) {
        return directory.resolve(name);
    }

    private Engine open(String name) {
        InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
        return EmbeddedStore.open(
                StoreDirectory.lock(path(name)),
                lazy(),
                log -> FileLog.open(log, EngineFixture.LOG.withClock(clock)),
                Recovery.Progress.NONE);
    }

    private void backup(Engine engine, String name) {
        Backup.Written unused = Backup.write(List.of(engine), new Backup.Request(path(name)));
    }

    private LogReplay.Reached replay(String target, Until until) {
        return Backup.restore(
                        path("backup"), path(target), Map.of(), Optional.of(new LogReplay.Source(path("data"), until)))
                .reached()
                .get(0);
    }

    private Map<String, String> rows(String name) {
        try (Engine engine = open(name)) {
            return rows(engine);
        }
    }

    private static Map<String, String> rows(Engine engine) {
        Map<String, String> rows = new TreeMap<>();
        for (Table table : engine.tables()) {
            try (Cursor cursor = engine.scan(table, KeyRange.ALL)) {
                while (cursor.next()) {
                    rows.put(
                            table.name().name() + "/" + cursor.key().utf8(),
                            cursor.value().utf8());
                }
            }
        }
        return rows;
    }

    @Test
    void replaysUpToATime() {
        try (Engine engine = open("data")) {
            Table table = engine.create(spec("t"));
            put(engine, table, "k", "old").awaitDurable();
            backup(engine, "backup");
            for (String value : List.of("first", "second", "third")) {
                millis.addAndGet(1000);
                put(engine, table, "k", value).awaitDurable();
            }
        }
        LogReplay.Reached reached = replay("second", Until.time(LATER.plusMillis(2999)));
        assertThat(reached.records()).isEqualTo(2);
        assertThat(reached.millis()).hasValue(LATER.plusMillis(2000).toEpochMilli());
        assertThat(rows("second")).containsValue("second").hasSize(1);
        LogReplay.Reached all = replay("third", Until.END);
        assertThat(all.records()).isEqualTo(3);
        assertThat(rows("third")).containsValue("third");
        assertThat(replay("none", Until.time(LATER.plusMillis(999))).records()).isZero();
        assertThat(rows("none")).containsValue("old");
    }

    @Test
    void theRestoredLogCanBeReplayedAgain() {
        try (Engine engine = open("data")) {
            put(engine, engine.create(spec("t")), "k", "old").awaitDurable();
            backup(engine, "backup");
            millis.addAndGet(1000);
            put(engine, engine.find(spec("t").name()).orElseThrow(), "k", "new").awaitDurable();
        }
        LogReplay.Reached unused = replay("data2", Until.END);
        try (Engine engine = open("data2")) {
            assertThat(rows(engine)).containsValue("new");
            backup(engine, "backup2");
            millis.addAndGet(1000);
            put(engine, engine.find(spec("t").name()).orElseThrow(), "k", "newest")
                    .awaitDurable();
        }
        Backup.Restored restored = Backup.restore(
                path("backup2"),
                path("data3"),
                Map.of(),
                Optional.of(new LogReplay.Source(path("data2"), Until.time(LATER.plusMillis(2000)))));
        assertThat(restored.reached())
                .singleElement()
                .satisfies(each -> assertThat(each.records()).isEqualTo(1));
        assertThat(rows("data3")).containsValue("newest");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyPositionOfAHistoryComesBack(long seed) {
        Random random = new Random(seed);
        List<Map<String, String>> moments = new ArrayList<>();
        long first;
        try (Engine engine = open("data")) {
            Table kept = engine.create(spec("t"));
            step(engine, kept, random);
            backup(engine, "backup");
            first = engine.end();
            moments.add(rows(engine));
            while (moments.size() < 60) {
                long before = engine.end();
                step(engine, kept, random);
                for (long position = before; position < engine.end(); position++) {
                    moments.add(position + 1 == engine.end() ? rows(engine) : Map.of());
                }
            }
        }
        for (int i = 0; i < moments.size(); i += 1 + random.nextInt(12)) {
            if (!moments.get(i).isEmpty()) {
                String target = "restored" + i;
                assertThat(replay(target, Until.position(first + i)).position()).isEqualTo(first + i);
                assertThat(rows(target)).as("seed %d, moment %d", seed, i).isEqualTo(moments.get(i));
            }
        }
    }

    private void step(Engine engine, Table kept, Random random) {
        String key = "k" + random.nextInt(20);
        switch (random.nextInt(5)) {
            case 0 -> engine.commit(new Batch().delete(kept, key(key))).awaitDurable();
            case 1 ->
                engine.find(spec("other").name())
                        .ifPresentOrElse(
                                other -> engine.drop(other.name()),
                                () -> put(engine, engine.create(spec("other")), key, "o")
                                        .awaitDurable());
            case 2 -> engine.flush();
            default -> {
                millis.addAndGet(random.nextInt(3));
                put(engine, kept, key, "v" + random.nextInt()).awaitDurable();
                put(engine, kept, "always", "v").awaitDurable();
            }
        }
    }

    @Test
    void refusesWhatTheLogCannotBringBack() {
        try (Engine engine = open("data")) {
            Table table = engine.create(spec("t"));
            put(engine, table, "k", "v").awaitDurable();
            backup(engine, "backup");
        }
        refused(StoreError.BAD_POSITION, () -> replay("early", Until.time(BEFORE)));
        refused(StoreError.BAD_POSITION, () -> replay("early", Until.position(0)));
        try (Engine engine = open("other")) {
            put(engine, engine.create(spec("t")), "k", "v").awaitDurable();
        }
        refused(
                StoreError.BAD_POSITION,
                () -> Backup.restore(
                        path("backup"),
                        path("early"),
                        Map.of(),
                        Optional.of(new LogReplay.Source(path("other"), Until.END))));
        refused(
                StoreError.IO,
                () -> Backup.restore(
                        path("backup"),
                        path("early"),
                        Map.of(),
                        Optional.of(new LogReplay.Source(path("backup"), Until.END))));
        assertThat(replay("early", Until.END).records())
                .as("a refused restore leaves nothing behind")
                .isZero();
    }

    @Test
    void refusesALogThatWasTrimmed() {
        try (Engine engine = EmbeddedStore.open(
                StoreDirectory.lock(path("data")),
                EngineFixture.eager(),
                log -> FileLog.open(
                        log, EngineFixture.LOG.withSegmentBytes(1 << 16).withRetention(0, Duration.ZERO)),
                Recovery.Progress.NONE)) {
            put(engine, engine.create(spec("t")), "k", "v").awaitDurable();
            backup(engine, "backup");
            EngineFixture.forgetChanges(engine, engine);
        }
        refused(StoreError.POSITION_EXPIRED, () -> replay("late", Until.END));
    }

    private static void refused(StoreError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.error()).isEqualTo(error));
    }
}
