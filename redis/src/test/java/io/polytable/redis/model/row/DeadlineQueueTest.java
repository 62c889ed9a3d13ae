package io.polytable.redis.model.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineQueueTest {
    private static final long OLD = 1_000_000;
    private static final long NOW = 10_000_000;

    private final MemoryStore store = new MemoryStore();
    private final Table index = store.create(new TableSpec(
            new TableName("test", "queue"),
            TableKind.SHARED,
            List.of(new Column("entry", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("entry")),
            List.of(),
            TableOptions.DEFAULT));
    private final DeadlineQueue queue = new DeadlineQueue(store, index);

    private void add(long deadlineMillis, String name) {
        Bytes entry = Bytes.of(name.getBytes(StandardCharsets.UTF_8));
        Commit unusedLast = store.commit(new Batch().put(index, DeadlineQueue.key(deadlineMillis, entry), Bytes.EMPTY));
    }

    @Test
    void entriesThatCouldNotBeRemovedComeAgainAtOnce() {
        add(OLD, "first");
        List<Bytes> due = queue.due(NOW, 10);

        assertThat(due).hasSize(1);
        assertThat(queue.due(NOW, 10)).isEqualTo(due);
    }

    @Test
    void aWalkBeginsBehindWhatWasRemoved() {
        add(OLD, "first");
        assertThat(queue.due(NOW, 10)).hasSize(1);
        queue.removed();

        // The entry is still there; a walk that met it again would step over every removed one, too.
        assertThat(queue.due(NOW, 10)).isEmpty();
    }

    @Test
    void aStepThatWasFullGoesOnWhereItEnded() {
        add(OLD, "first");
        add(OLD + 120_000, "second");
        assertThat(queue.due(NOW, 1)).extracting(DeadlineQueue::deadlineMillis).containsExactly(OLD);
        queue.removed();

        assertThat(queue.due(NOW, 10)).extracting(DeadlineQueue::deadlineMillis).contains(OLD + 120_000);
    }
}
