package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cursors that give back what they hold while nobody uses them. */
class ScanCursorTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private Engine engine;

    @SuppressWarnings("NullAway.Init")
    private Table table;

    @BeforeEach
    void open() {
        engine = new EngineFixture(directory.resolve("data")).open(EngineFixture.lazy());
        table = engine.create(spec("t"));
        for (int i = 1; i <= 3; i++) {
            put(engine, table, "k" + i, "v" + i);
        }
    }

    private ScanCursor scan(Snapshot snapshot, Direction direction) {
        return (ScanCursor) snapshot.scan(table, KeyRange.ALL, direction, Long.MAX_VALUE);
    }

    private static void assertNextIs(ScanCursor cursor, String number) {
        assertThat(cursor.next()).isTrue();
        cursor.releaseIfIdle();
        assertThat(cursor.key()).isEqualTo(Bytes.utf8("k" + number));
        assertThat(cursor.value()).isEqualTo(Bytes.utf8("v" + number));
        cursor.releaseIfIdle();
        assertThat(cursor.valueSlice().toBytes()).isEqualTo(Bytes.utf8("v" + number));
    }

    @Test
    void showARowAgainAfterARelease() {
        try (Snapshot snapshot = engine.snapshot();
                ScanCursor forward = scan(snapshot, Direction.FORWARD);
                ScanCursor reverse = scan(snapshot, Direction.REVERSE)) {
            put(engine, table, "k2", "later");
            for (int i = 1; i <= 3; i++) {
                assertNextIs(forward, Integer.toString(i));
                assertNextIs(reverse, Integer.toString(4 - i));
            }
            assertThat(forward.next()).isFalse();
            assertThat(reverse.next()).isFalse();
        }
        engine.close();
    }

    /** Thousands may be idle at once, each on a large value. */
    @Test
    void holdNoValueAfterARelease() {
        try (Snapshot snapshot = engine.snapshot();
                ScanCursor cursor = scan(snapshot, Direction.FORWARD)) {
            assertThat(cursor.next()).isTrue();
            WeakReference<Bytes> value = new WeakReference<>(cursor.value());
            cursor.releaseIfIdle();
            Await.until("the value is collected", () -> {
                System.gc();
                return value.refersTo(null);
            });
        }
        engine.close();
    }

    /** Whoever closes it last must be able to, or the snapshot would count as open forever. */
    @Test
    void closeAfterTheStore() {
        engine.settle();
        Snapshot snapshot = engine.snapshot();
        ScanCursor cursor = scan(snapshot, Direction.FORWARD);
        assertThat(cursor.next()).isTrue();
        engine.close();
        cursor.close();
        snapshot.close();
    }
}
