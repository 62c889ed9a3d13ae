package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writers are killed at random moments: what was acknowledged is there, and no batch is half there. */
class CrashTest {
    private static final long LIFE_MILLIS_MAX = 1500;
    private static final long SHORT_LIFE_MILLIS_MAX = 400;

    @TempDir
    Path directory;

    @Test
    void survivesThreeKills() throws Exception {
        killAndCheck(3, SHORT_LIFE_MILLIS_MAX, new Random().nextLong());
    }

    @Test
    @Tag("crash")
    void survivesFiftyKills() throws Exception {
        killAndCheck(50, LIFE_MILLIS_MAX, new Random().nextLong());
    }

    private void killAndCheck(int rounds, long lifeMillisMax, long seed) throws Exception {
        Random random = new Random(seed);
        long[] acknowledged = new long[CrashWriter.THREADS];
        for (int round = 0; round < rounds; round++) {
            runAndKill(random, lifeMillisMax, acknowledged);
            check(random, acknowledged, "seed " + seed + ", round " + round);
        }
        assertThat(acknowledged).as("seed %d", seed).isNotEqualTo(new long[CrashWriter.THREADS]);
    }

    private void runAndKill(Random random, long lifeMillisMax, long[] acknowledged)
            throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashWriter.class.getName(),
                        directory.toString(),
                        Long.toString(random.nextLong()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread killer = new Thread(() -> {});
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("ready")) {
                    killer = killAfter(writer, random.nextLong(lifeMillisMax));
                } else if (line.startsWith(CrashWriter.ACKNOWLEDGED)) {
                    note(line.substring(CrashWriter.ACKNOWLEDGED.length()), acknowledged);
                }
            }
        } finally {
            writer.destroyForcibly();
            assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
            killer.join();
        }
    }

    private static Thread killAfter(Process writer, long millis) {
        Thread killer = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            // SIGKILL: nothing in the process gets a chance to tidy up. By its handle: what it printed stays readable.
            writer.toHandle().destroyForcibly();
        });
        killer.start();
        return killer;
    }

    /** The last line may be cut in the middle of its number, which then is smaller: that only asks for less. */
    private static void note(String line, long[] acknowledged) {
        int space = line.indexOf(' ');
        String number = line.substring(space + 1);
        if (space > 0 && !number.isEmpty()) {
            int thread = Integer.parseInt(line.substring(0, space));
            acknowledged[thread] = Math.max(acknowledged[thread], Long.parseLong(number));
        }
    }

    private void check(Random random, long[] acknowledged, String where) {
        try (Engine engine = CrashWriter.open(directory, random)) {
            Optional<Table> one = engine.find(EngineFixture.spec("one").name());
            Optional<Table> two = engine.find(EngineFixture.spec("two").name());
            if (one.isEmpty() || two.isEmpty()) {
                assertThat(acknowledged).as(where).containsOnly(0);
                return;
            }
            for (int thread = 0; thread < CrashWriter.THREADS; thread++) {
                checkThread(engine, List.of(one.get(), two.get()), thread, acknowledged[thread], where);
            }
        }
    }

    private static void checkThread(Engine engine, List<Table> tables, int thread, long acknowledged, String where) {
        long last = number(engine, tables.get(0), thread, "last").orElse(0L);
        assertThat(last).as("%s, thread %d", where, thread).isGreaterThanOrEqualTo(acknowledged);
        for (Table table : tables) {
            assertThat(number(engine, table, thread, "last").orElse(0L))
                    .as(where)
                    .isEqualTo(last);
            for (int slot = 0; slot < CrashWriter.SLOTS; slot++) {
                assertThat(number(engine, table, thread, "s" + slot))
                        .as("%s, thread %d, slot %d of %s after %d", where, thread, slot, table.name(), last)
                        .isEqualTo(CrashWriter.expected(last, slot));
            }
        }
    }

    private static Optional<Long> number(Engine engine, Table table, int thread, String rest) {
        return engine.read(table, CrashWriter.key(thread, rest))
                .map(Bytes::utf8)
                .map(Long::parseLong);
    }
}
