package io.polytable.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.engine.EngineFixture;
import io.polytable.table.Bytes;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the tail keeps to tell the values from before a commit. */
class OldValuesTest {
    private static final int VALUE_BYTES = 1 << 20;
    private static final int COMMITS_MAX = 200;

    private final MemoryStore store = new MemoryStore();
    private final Table table = store.create(EngineFixture.spec("t"));
    private final Deque<Feeds.RecordSnapshot> snapshots = new ArrayDeque<>();

    private Feeds.RecordSnapshot snapshot() {
        Feeds.RecordSnapshot next = snapshots.poll();
        if (next == null) {
            throw new StoreException(StoreError.TOO_MANY, "Too many open snapshots");
        }
        return next;
    }

    private List<Change> commit(int number) {
        Optional<Bytes> none = Optional.empty();
        Optional<Bytes> value = Optional.of(Bytes.of(new byte[VALUE_BYTES]));
        Bytes key = Bytes.utf8("k" + number);
        return List.of(new Change(Change.Kind.PUT, table, key, value, none, none, Position.START, Origin.CLIENT, true));
    }

    /** Scans may hold all snapshots there may be, for minutes, while everything is rewritten. */
    @Test
    void areGivenUpWhenNoNewerSnapshotCanBeHad() {
        try (Snapshot first = store.snapshot()) {
            snapshots.add(new Feeds.RecordSnapshot(first, 1, () -> {}));
            OldValues values = new OldValues(this::snapshot, 32 << 20);
            assertThat(values.begin()).isEqualTo(1);
            values.reached(1);
            int told = 0;
            while (told < COMMITS_MAX && values.before(commit(told)) != null) {
                values.renew();
                told++;
            }
            assertThat(told).isBetween(8, 64);
            values.end();
        }
    }

    /** Nobody read the tail for long, and the newer snapshot was taken at the log's end: the way there is not bounded. */
    @Test
    void areGivenUpUpToANewerSnapshotThatIsFarAhead() {
        try (Snapshot first = store.snapshot();
                Snapshot later = store.snapshot()) {
            snapshots.add(new Feeds.RecordSnapshot(first, 1, () -> {}));
            snapshots.add(new Feeds.RecordSnapshot(later, 1000, () -> {}));
            OldValues values = new OldValues(this::snapshot, 32 << 20);
            assertThat(values.begin()).isEqualTo(1);
            values.reached(1);
            int told = 0;
            while (told < COMMITS_MAX && values.before(commit(told)) != null) {
                values.renew();
                told++;
            }
            assertThat(told).isBetween(8, 64);
            assertThat(values.skipToNext()).isEqualTo(1000);
            values.reached(999);
            assertThat(values.before(commit(1))).as("before the snapshot").isNull();
            values.reached(1000);
            assertThat(values.before(commit(1))).hasSize(1);
            values.end();
        }
    }
}
