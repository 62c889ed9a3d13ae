package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine jumps, in both directions: no row is lost, and the log is still released. */
@Timeout(1800)
class ClockJumpTest {
    private static final int ROUNDS = 30;
    private static final int ROUNDS_LONG = 600;
    private static final int ROWS_PER_ROUND = 40;
    private static final int VALUE_CHARS = 4_000;
    private static final int KEYS = 500;
    private static final long JUMP_SECONDS_MAX = TimeUnit.DAYS.toSeconds(400);
    private static final Duration RETENTION = Duration.ofHours(1);

    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final FileLogOptions log =
            EngineFixture.LOG.withRetention(0, RETENTION).withClock(clock);
    private final Map<String, String> expected = new TreeMap<>();

    @Test
    void jumpsLoseNothingAndKeepNothing() {
        jump(1, ROUNDS);
    }

    @Test
    @Tag("crash")
    void manyJumpsLoseNothingAndKeepNothing() {
        jump(System.nanoTime(), ROUNDS_LONG);
    }

    private Engine open() {
        return EmbeddedStore.open(
                StoreDirectory.lock(directory), eager(), path -> FileLog.open(path, log), Recovery.Progress.NONE);
    }

    private void jump(long seed, int rounds) {
        Random random = new Random(seed);
        Engine engine = open();
        engine.create(spec("rows"));
        for (int round = 0; round < rounds; round++) {
            clock.advance(Duration.ofSeconds(step(random)));
            write(engine, random);
            if (random.nextInt(8) == 0) {
                engine.close();
                engine = open();
                verify(engine, seed);
            }
        }
        long end = engine.end();
        Engine last = engine;
        Await.until("the log of the jumps is released", () -> {
            clock.advance(RETENTION);
            write(last, random);
            last.settle();
            return last.statistics().values().getOrDefault("log_first_position", 0L) > end;
        });
        verify(engine, seed);
        engine.close();
    }

    /** Most steps are small, as those of a clock that is right. */
    private static long step(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> -random.nextLong(JUMP_SECONDS_MAX);
            case 1 -> random.nextLong(JUMP_SECONDS_MAX);
            default -> random.nextInt(60);
        };
    }

    private void write(Engine engine, Random random) {
        Table table = engine.find(spec("rows").name()).orElseThrow();
        for (int i = 0; i < ROWS_PER_ROUND; i++) {
            String key = "key-" + random.nextInt(KEYS);
            String value = random.nextLong() + "x".repeat(VALUE_CHARS);
            put(engine, table, key, value);
            expected.put(key, value);
        }
        engine.flush();
    }

    private void verify(Engine engine, long seed) {
        Table table = engine.find(spec("rows").name()).orElseThrow();
        expected.forEach((key, value) ->
                assertThat(get(engine, table, key)).as("seed %d, %s", seed, key).contains(value));
    }
}
