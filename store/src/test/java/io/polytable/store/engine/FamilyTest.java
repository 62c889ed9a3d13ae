package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.keys;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.state.Family;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.testkit.Await;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Column families are handed out empty, and to one table each. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FamilyTest {
    private static final int LARGE_BYTES = 4 << 20;

    @TempDir
    Path directory;

    private EngineFixture fixture = new EngineFixture(Path.of(""));

    @BeforeEach
    void prepare() {
        fixture = new EngineFixture(directory.resolve("data"));
    }

    /** Drops the table while RocksDB finds no directory to write its files in. */
    private void dropWithoutState(Engine engine) throws IOException {
        Path state = directory.resolve("data/state");
        Path away = directory.resolve("data/away");
        Files.move(state, away);
        try {
            engine.drop(spec("t").name());
        } finally {
            Files.move(away, state);
        }
    }

    private Engine withRows() {
        Engine engine = fixture.open(lazy());
        Table table = engine.create(spec("t"));
        put(engine, table, "old", "row");
        engine.settle();
        put(engine, table, "older", "row");
        return engine;
    }

    @Test
    void aDropThatLeavesFilesBehindLeavesNoRowsToItsSuccessor() throws Exception {
        Engine engine = withRows();
        dropWithoutState(engine);
        assertThat(engine.find(spec("t").name())).isEmpty();
        Table successor = createWhenHealed(engine);
        assertThat(keys(engine.scan(successor, KeyRange.ALL))).isEmpty();
        put(engine, successor, "new", "row");
        engine.close();
        Engine again = fixture.open(lazy());
        Table same = again.find(spec("t").name()).orElseThrow();
        assertThat(keys(again.scan(same, KeyRange.ALL))).containsExactly("new");
        again.close();
    }

    /** The state is opened again in the background; until then nothing can be created. */
    private static Table createWhenHealed(Engine engine) {
        while (true) {
            try {
                return engine.create(spec("t"));
            } catch (StoreException notYet) {
                assertThat(notYet.error()).isIn(StoreError.IO, StoreError.NO_ROOM, StoreError.TOO_MANY);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    @Test
    void aCrashInsideADropLeavesNoRowsToItsSuccessor() throws Exception {
        Engine engine = withRows();
        dropWithoutState(engine);
        engine.abandon();
        Engine again = fixture.open(lazy());
        assertThat(again.find(spec("t").name())).isEmpty();
        Table successor = again.create(spec("t"));
        assertThat(keys(again.scan(successor, KeyRange.ALL))).isEmpty();
        assertThat(get(again, successor, "old")).isEmpty();
        again.close();
    }

    @Test
    void aSystemTableOfAnOlderVersionStaysReadableAndKeepsItsFamily() {
        TableSpec old = system("elsewhere");
        Engine engine = fixture.open(lazy());
        Table before = createAsOlderVersionsDid(engine, old);
        put(engine, before, "k", "v");
        engine.close();
        Engine again = fixture.open(lazy());
        Table same = again.find(old.name()).orElseThrow();
        assertThat(get(again, same, "k")).contains("v");
        assertThat(again.create(old)).isSameAs(same);
        assertThat(Family.of(system("system"))).isEqualTo(Family.of(old));
        assertThatThrownBy(() -> again.create(system("system")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.TABLE_EXISTS));
        again.close();
    }

    /** Until RocksDB's handle of a family is closed, its files stay, and take up the disk until the next start. */
    @Test
    void aDropGivesTheDiskSpaceBack() throws Exception {
        Engine engine = fixture.open(lazy());
        Table table = withLargeRow(engine);
        engine.drop(table.name());
        awaitDeleted();
        engine.close();
    }

    @Test
    void aCursorGoesOnReadingADroppedTableAndThenTheDiskSpaceComesBack() throws Exception {
        AtomicLong nanos = new AtomicLong();
        Engine engine = fixture.open(lazy().withTiming(EngineFixture.quick(nanos)));
        Table table = withLargeRow(engine);
        Cursor cursor = engine.scan(table, KeyRange.ALL);
        assertThat(cursor.next()).isTrue();
        engine.drop(table.name());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        Await.until("the idle cursor has closed its iterator", () -> !((ScanCursor) cursor).isOld());
        // A drop deletes the files of all dropped tables that nobody reads; the cursor must come back to its table.
        engine.drop(engine.create(spec("other")).name());
        assertThat(fileBytes()).isGreaterThan(LARGE_BYTES);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key().utf8()).isEqualTo("small");
        assertThat(cursor.next()).isFalse();
        cursor.close();
        awaitDeleted();
        engine.close();
    }

    private Table withLargeRow(Engine engine) throws IOException {
        Table table = engine.create(spec("t"));
        byte[] noise = new byte[LARGE_BYTES];
        new Random(1).nextBytes(noise);
        engine.commit(new Batch().put(table, EngineFixture.key("large"), Bytes.of(noise)));
        put(engine, table, "small", "row");
        engine.settle();
        assertThat(fileBytes()).isGreaterThan(LARGE_BYTES);
        return table;
    }

    private void awaitDeleted() {
        Await.until("the files are deleted", () -> fileBytes() < LARGE_BYTES);
    }

    /** Of the state's tables of rows. */
    private long fileBytes() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data/state"))) {
            long bytes = 0;
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".sst")).toList()) {
                bytes += Files.exists(file) ? Files.size(file) : 0;
            }
            return bytes;
        }
    }

    private static TableSpec system(String namespace) {
        TableSpec plain = spec("settings");
        return new TableSpec(
                new TableName(namespace, "settings"),
                TableKind.SYSTEM,
                plain.columns(),
                plain.partitionKey(),
                plain.sortKey(),
                plain.options());
    }

    private static Table createAsOlderVersionsDid(Engine engine, TableSpec spec) {
        Batch batch = new Batch();
        int id = engine.catalog().prepare(spec, batch);
        engine.commit(batch);
        return engine.catalog().created(id, spec);
    }
}
