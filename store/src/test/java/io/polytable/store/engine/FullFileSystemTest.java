package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.polytable.store.directory.StoreDirectory;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system that is really full, log and state both on it. To mount one needs root's rights. */
@Tag("crash")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FullFileSystemTest {
    private static final int SIZE_MEGABYTES = 64;
    private static final int INODES = 400;
    private static final long RETRIES_MILLIS = 10 * EngineFixture.QUICK.retry().toMillis();
    private static final int BALLAST_BYTES = 24 << 20;

    /** Not to be compressed, so that the state's files fill the disk too. */
    private static final String VALUE = new Random(1)
            .ints(8000, ' ', '~')
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();

    @TempDir
    Path directory;

    private Path mount = Path.of("");
    private boolean mounted;

    @BeforeEach
    void prepare() throws Exception {
        mount = Files.createDirectory(directory.resolve("small"));
        mounted = run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=" + SIZE_MEGABYTES + "m,nr_inodes=" + INODES,
                "tmpfs",
                mount.toString());
        assumeThat(mounted).as("may mount a tmpfs").isTrue();
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            // Lazily: the native library, once loaded from there, stays mapped.
            run("umount", "--lazy", mount.toString());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().transferTo(OutputStream.nullOutputStream());
        return process.waitFor() == 0;
    }

    @Test
    void refusesWritesAnswersReadsAndGoesOnWhenThereIsRoom() throws Exception {
        Path ballast = mount.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        EngineOptions options = eager().withMemory(0, 64 << 20).withLagBytesMax(1 << 20);
        int written;
        try (Engine engine = new EngineFixture(mount.resolve("data")).open(options)) {
            Table table = engine.create(spec("t"));
            written = write(engine, table, 0, Integer.MAX_VALUE);
            assertThat(written).isPositive();
            Path rest = fillUp();
            TimeUnit.MILLISECONDS.sleep(RETRIES_MILLIS);
            requireAll(engine, table, written);
            Files.delete(rest);
            Files.delete(ballast);
            int more = writeAgain(engine, table, written);
            requireAll(engine, table, more);
            written = more;
        }
        try (Engine engine = new EngineFixture(mount.resolve("data")).open(options)) {
            requireAll(engine, engine.find(spec("t").name()).orElseThrow(), written);
        }
    }

    /** Free bytes, but no inode: the state must neither be closed nor stay unwritable beside an idle snapshot. */
    @Test
    void goesOnBesideAnIdleSnapshotWhenThereAreInodesAgain() throws Exception {
        Path data = mount.resolve("data");
        EngineOptions options = eager().withMemory(0, 64 << 20).withLagBytesMax(1 << 20);
        try (Engine engine = new EngineFixture(data).open(options)) {
            Table table = engine.create(spec("t"));
            int written = write(engine, table, 0, 100);
            try (Snapshot snapshot = engine.snapshot()) {
                useInodes(true);
                written = write(engine, table, written, Integer.MAX_VALUE);
                assertThat(engine.refusal()).isPresent();
                TimeUnit.MILLISECONDS.sleep(RETRIES_MILLIS);
                requireAll(engine, table, written);
                useInodes(false);
                written = writeAgain(engine, table, written);
                assertThat(snapshot.position()).isNotEqualTo(engine.position());
            }
            assertThat(engine.refusal()).isEmpty();
            requireAll(engine, table, written);
        }
    }

    /** What was served before the stop is served after the start, and writes are accepted once there is space. */
    @Test
    void opensReadOnlyWithoutSpaceAndHealsBesideAnOpenCursor() throws Exception {
        Path data = mount.resolve("data");
        Path ballast = mount.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        EngineOptions options = eager().withMemory(8 << 20, 64 << 20).withLagBytesMax(1 << 20);
        Engine before = new EngineFixture(data).open(options);
        Table table = before.create(spec("t"));
        int written = write(before, table, 0, 500);
        before.close();
        Path rest = fillUp();
        requireReadOnly(data, options, written, () -> {
            Files.delete(rest);
            Files.delete(ballast);
        });
    }

    @Test
    void opensReadOnlyWithoutInodes() throws Exception {
        Path data = mount.resolve("data");
        EngineOptions options = eager().withMemory(8 << 20, 64 << 20).withLagBytesMax(1 << 20);
        int written;
        try (Engine engine = new EngineFixture(data).open(options)) {
            written = write(engine, engine.create(spec("t")), 0, 500);
        }
        useInodes(true);
        requireReadOnly(data, options, written, () -> useInodes(false));
    }

    /** Also after a kill: what only the log has is replayed into memory. */
    @Test
    void opensReadOnlyWithCommitsThatOnlyTheLogHas() throws Exception {
        Path data = mount.resolve("data");
        EngineOptions options = EngineOptions.DEFAULT
                .withMemory(8 << 20, 64 << 20)
                .withGenerations(1 << 20, Duration.ofDays(1))
                .withTiming(EngineFixture.QUICK);
        Engine killed = new EngineFixture(data).open(options);
        int written = write(killed, killed.create(spec("t")), 0, 300);
        killed.abandon();
        Path rest = fillUp();
        requireReadOnly(data, options, written, () -> Files.delete(rest));
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void requireReadOnly(Path data, EngineOptions options, int written, Step makeRoom) throws Exception {
        try (Engine engine = new EngineFixture(data).open(options)) {
            Table table = engine.find(spec("t").name()).orElseThrow();
            requireAll(engine, table, written);
            assertThat(engine.refusal()).isPresent();
            assertThat(write(engine, table, written, written + 1)).isEqualTo(written);
        }
        try (Engine engine = new EngineFixture(data).open(options)) {
            Table table = engine.find(spec("t").name()).orElseThrow();
            try (Cursor cursor = engine.scan(table, KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE)) {
                assertThat(cursor.next()).isTrue();
                makeRoom.run();
                int more = writeAgain(engine, table, written);
                assertThat(engine.refusal()).isEmpty();
                requireAll(engine, table, more);
            }
        }
        try (Engine engine = new EngineFixture(data).open(options)) {
            requireAll(engine, engine.find(spec("t").name()).orElseThrow(), written + 200);
        }
    }

    private void useInodes(boolean all) throws IOException {
        Path many = mount.resolve("many");
        if (!all) {
            StoreDirectory.deleteTree(many);
            return;
        }
        Files.createDirectory(many);
        try {
            for (int i = 0; true; i++) {
                Files.createFile(many.resolve(String.valueOf(i)));
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    /** Leaves not one byte. */
    private Path fillUp() throws IOException {
        Path rest = mount.resolve("rest");
        try (OutputStream out = Files.newOutputStream(rest)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
        return rest;
    }

    private static int writeAgain(Engine engine, Table table, int from) {
        int now = from;
        while (now < from + 200) {
            now = write(engine, table, now, from + 200);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        return now;
    }

    /** Until there are so many rows, or there is no space for more; answers how many there are then. */
    private static int write(Engine engine, Table table, int from, int to) {
        for (int i = from; i < to; i++) {
            try {
                put(engine, table, "k" + i, value(i)).awaitDurable();
            } catch (StoreException e) {
                assertThat(e.error()).isEqualTo(StoreError.NO_ROOM);
                return i;
            }
        }
        return to;
    }

    private static String value(int i) {
        int cut = i * 31 % VALUE.length();
        return i + VALUE.substring(cut) + VALUE.substring(0, cut);
    }

    private static void requireAll(Engine engine, Table table, int rows) {
        for (int i = 0; i < rows; i++) {
            assertThat(get(engine, table, "k" + i)).contains(value(i));
        }
    }
}
