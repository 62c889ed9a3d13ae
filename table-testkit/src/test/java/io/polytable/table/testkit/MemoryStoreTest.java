package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.KeyColumn;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "plain"),
            TableKind.FACE,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT);

    @Test
    void whatWasCommittedIsReadAndFed() {
        try (MemoryStore store = new MemoryStore()) {
            Table table = store.create(SPEC);
            RowKey key = RowKey.whole(Bytes.utf8("a"));
            store.commit(new Batch().put(table, key, Bytes.utf8("1")));
            assertThat(store.read(table, key)).contains(Bytes.utf8("1"));
            try (ChangeFeed feed = store.changes(Set.of(table), Position.START)) {
                assertThat(feed.poll(10, Duration.ZERO)).extracting(Change::key).containsExactly(Bytes.utf8("a"));
                assertThat(feed.position()).isEqualTo(store.position());
            }
        }
    }
}
