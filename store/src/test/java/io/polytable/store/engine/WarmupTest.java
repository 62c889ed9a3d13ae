package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What memory is filled with after a start, beside everything else. */
class WarmupTest {
    private static final int KEYS = 3000;

    @TempDir
    private Path directory;

    private EngineFixture fixture;
    private final Map<String, String> expected = new HashMap<>();

    @BeforeEach
    void prepare() {
        fixture = new EngineFixture(directory.resolve("data"));
    }

    @Test
    void afterARestartTheStateIsNotAsked() {
        fill();
        try (Engine engine = fixture.open(EngineFixture.lazy())) {
            Table table = engine.create(spec("t"));
            awaitWhole(engine);
            long before = number(engine, "state_reads_total");
            verify(engine, table);
            assertThat(get(engine, table, "never")).isEmpty();
            assertThat(number(engine, "state_reads_total")).isEqualTo(before);
        }
    }

    @Test
    void whatIsCommittedMeanwhileWins() {
        fill();
        for (long seed = 1; seed <= 8; seed++) {
            Random random = new Random(seed);
            try (Engine engine = fixture.open(seed % 2 == 0 ? EngineFixture.lazy() : EngineFixture.eager())) {
                Table table = engine.create(spec("t"));
                for (int i = 0; i < 1000; i++) {
                    change(engine, table, random);
                }
                verify(engine, table);
            }
        }
    }

    @Test
    void aRangeDeleteThatTheStateDoesNotHaveYetHolds() {
        fill();
        Engine stopped = fixture.open(EngineFixture.lazy());
        Table before = stopped.create(spec("t"));
        stopped.commit(new Batch().deleteRange(before, KeyRange.between(Bytes.utf8("k1"), Bytes.utf8("k2"))))
                .awaitDurable();
        stopped.abandon();
        expected.keySet().removeIf(key -> key.startsWith("k1"));
        try (Engine engine = fixture.open(EngineFixture.lazy())) {
            Table table = engine.create(spec("t"));
            awaitWhole(engine);
            verify(engine, table);
        }
    }

    @Test
    void aTableThatDoesNotFitIsReadFromFiles() {
        Random random = new Random(1);
        try (Engine engine = fixture.open(EngineFixture.lazy())) {
            Table table = engine.create(spec("t"));
            for (int i = 0; i < KEYS; i++) {
                byte[] value = new byte[1000];
                random.nextBytes(value);
                engine.commit(new Batch().put(table, key("k" + i), Bytes.of(value)));
            }
        }
        try (Engine engine = fixture.open(EngineFixture.eager())) {
            Table table = engine.create(spec("t"));
            for (int i = 0; i < KEYS; i++) {
                assertThat(engine.read(table, key("k" + i))).isPresent();
            }
            assertThat(get(engine, table, "never")).isEmpty();
            assertThat(number(engine, "memory_whole_tables")).isZero();
            assertThat(number(engine, "memory_bytes")).isLessThan(8 << 20);
        }
    }

    private void fill() {
        try (Engine engine = fixture.open(EngineFixture.lazy())) {
            Table table = engine.create(spec("t"));
            for (int i = 0; i < KEYS; i++) {
                expected.put("k" + i, "v" + i);
                put(engine, table, "k" + i, "v" + i);
            }
        }
    }

    private void change(Engine engine, Table table, Random random) {
        String name = "k" + random.nextInt(KEYS + 100);
        if (random.nextInt(3) == 0) {
            engine.commit(new Batch().delete(table, key(name)));
            expected.remove(name);
        } else {
            String value = Long.toString(random.nextLong());
            put(engine, table, name, value);
            expected.put(name, value);
        }
    }

    private void verify(Engine engine, Table table) {
        for (int i = 0; i < KEYS + 100; i++) {
            String name = "k" + i;
            assertThat(get(engine, table, name)).as(name).isEqualTo(Optional.ofNullable(expected.get(name)));
        }
    }

    private static void awaitWhole(Engine engine) {
        Await.until("a table is in memory whole", () -> number(engine, "memory_whole_tables") > 0);
    }

    private static long number(Engine engine, String name) {
        return engine.statistics().values().getOrDefault(name, -1L);
    }
}
