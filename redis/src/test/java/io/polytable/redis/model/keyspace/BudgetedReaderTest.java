package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
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
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a command may take out of the store, and what it shares with others that run at the same time. */
class BudgetedReaderTest {
    private static final int MB = 1 << 20;
    private static final int VALUES = 16;

    private final MemoryStore store = new MemoryStore();
    private final Table table = store.create(new TableSpec(
            new TableName("test", "rows"),
            TableKind.SHARED,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT));
    private final Budget budget = Budget.of("reads", 8 * MB);
    private final BudgetedReader reader = new BudgetedReader(store, budget);

    @BeforeEach
    void fill() {
        Batch batch = new Batch();
        for (int i = 0; i < VALUES; i++) {
            batch.put(table, key(i), Bytes.of(new byte[MB]));
        }
        store.commit(batch);
    }

    private static RowKey key(int number) {
        return RowKey.whole(Bytes.of(new byte[] {(byte) number}));
    }

    private static List<RowKey> keys(int count) {
        return IntStream.range(0, count).mapToObj(BudgetedReaderTest::key).toList();
    }

    @Test
    void refusesWhatIsMoreThanThereIs() {
        assertThat(reader.readMany(table, keys(6))).hasSize(6);
        assertRefused(() -> reader.readMany(table, keys(6)));
        reader.release();
        assertThat(budget.leftBytes()).isEqualTo(8L * MB);
        assertRefused(() -> keys(VALUES).forEach(key -> reader.read(table, key)));
        reader.release();
        assertRefused(() -> scan(true));
    }

    @Test
    void countsWhatOthersHoldUntilTheyLetGo() {
        BudgetedReader other = new BudgetedReader(store, budget);
        assertThat(other.readMany(table, keys(6))).hasSize(6);
        assertRefused(() -> reader.readMany(table, keys(6)));
        other.release();
        reader.release();
        assertThat(reader.readMany(table, keys(6))).hasSize(6);
    }

    /** A reply that another thread writes later is on the heap until then. */
    @Test
    void whatIsHandedOnCountsUntilItIsGivenBack() {
        assertThat(reader.readMany(table, keys(6))).hasSize(6);
        Runnable written = reader.handOn();
        reader.release();
        assertThat(budget.leftBytes()).isLessThan(4L * MB);
        assertRefused(() -> reader.readMany(table, keys(6)));
        reader.release();
        written.run();
        written.run();
        assertThat(budget.leftBytes()).isEqualTo(8L * MB);
    }

    @Test
    void whatNobodyKeepsIsNotCounted() {
        scan(false);
        assertThat(budget.leftBytes()).isEqualTo(8L * MB);
    }

    private void scan(boolean keeps) {
        try (Cursor rows = reader.scan(table, KeyRange.ALL)) {
            while (rows.next()) {
                assertThat(keeps ? rows.value().length() : rows.valueSlice().length())
                        .isEqualTo(MB);
            }
        }
    }

    private static void assertRefused(Runnable read) {
        assertThatThrownBy(read::run).isInstanceOf(RedisError.class).hasMessageContaining("larger than the server");
    }
}
