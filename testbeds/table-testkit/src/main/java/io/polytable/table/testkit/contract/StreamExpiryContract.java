package io.polytable.table.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Time-ordered tables with a time to live: rows expire by key, and nothing is stored with them. */
interface StreamExpiryContract extends StoreUnderTest {
    private Table stream(ColumnType time) {
        return store().create(new TableSpec(
                new TableName("kit", "stream_" + time.tag()),
                TableKind.STREAM,
                List.of(
                        new Column("at", time),
                        new Column("row", ColumnType.BIGINT),
                        new Column("value", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("at")),
                List.of(KeyColumn.ascending("row")),
                new TableOptions(Optional.of(Duration.ofSeconds(10)), true, true, false)));
    }

    private static RowKey key(long time, long row) {
        Bytes bytes = new KeyWriter()
                .i64(time, SortOrder.ASCENDING)
                .i64(row, SortOrder.ASCENDING)
                .toBytes();
        return new RowKey(bytes, Long.BYTES);
    }

    private List<String> values(Table table, KeyRange range, Direction direction) {
        return values(store().scan(table, range, direction, 100));
    }

    private static List<String> values(Cursor rows) {
        List<String> values = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                values.add(rows.value().utf8());
            }
        }
        return values;
    }

    private void events(ColumnType time, long unitsPerMilli) {
        for (int i = 0; i < 5; i++) {
            long at = (clock().millis() + 1000L * i) * unitsPerMilli;
            commit(new Batch().put(stream(time), key(at, i), Bytes.utf8("e" + i)));
        }
    }

    private void showsWhatIsAlive(ColumnType time, long unitsPerMilli) {
        long start = clock().millis();
        events(time, unitsPerMilli);
        betweenSteps();
        clock().advanceMillis(9_999);
        assertThat(values(stream(time), KeyRange.ALL, Direction.FORWARD)).containsExactly("e0", "e1", "e2", "e3", "e4");
        clock().advanceMillis(1);
        assertThat(values(stream(time), KeyRange.ALL, Direction.FORWARD)).containsExactly("e1", "e2", "e3", "e4");
        clock().advanceMillis(1_500);
        RowKey second = key((start + 1000) * unitsPerMilli, 1);
        RowKey third = key((start + 2000) * unitsPerMilli, 2);
        assertThat(values(stream(time), KeyRange.ALL, Direction.REVERSE)).containsExactly("e4", "e3", "e2");
        assertThat(store().readMany(stream(time), List.of(second, third)))
                .containsExactly(Optional.empty(), Optional.of(Bytes.utf8("e2")));
        assertThat(store().read(stream(time), second)).isEmpty();
        assertThat(values(stream(time), KeyRange.partition(second.partition()), Direction.FORWARD))
                .isEmpty();
        assertThat(values(stream(time), KeyRange.partition(third.partition()), Direction.FORWARD))
                .containsExactly("e2");
        assertThat(values(stream(time), KeyRange.between(Bytes.EMPTY, third.bytes()), Direction.FORWARD))
                .isEmpty();
    }

    @Test
    default void eventsWithMillisecondsExpireByTheirKeys() {
        showsWhatIsAlive(ColumnType.BIGINT, 1);
    }

    @Test
    default void eventsWithMicrosecondsExpireByTheirKeys() {
        showsWhatIsAlive(ColumnType.TIMESTAMP, 1000);
    }

    @Test
    default void aStreamFollowsAnotherTimeToLiveAtOnce() {
        Table stream = stream(ColumnType.BIGINT);
        events(ColumnType.BIGINT, 1);
        assertThat(store().setTtl(stream.name(), Optional.of(Duration.ofSeconds(3))))
                .isSameAs(stream);
        betweenSteps();
        clock().advanceMillis(5_000);
        Table shorter = store().find(stream.name()).orElseThrow();
        assertThat(values(shorter, KeyRange.ALL, Direction.FORWARD)).containsExactly("e3", "e4");
        store().setTtl(shorter.name(), Optional.empty());
        betweenSteps();
        clock().advance(Duration.ofDays(1000));
        Table never = store().find(stream.name()).orElseThrow();
        assertThat(values(never, KeyRange.ALL, Direction.FORWARD)).contains("e3", "e4");
    }

    @Test
    default void expiredEventsAreShownToTheirOwnerUntilHeRemovesThem() {
        events(ColumnType.BIGINT, 1);
        assertThat(values(store().expired(stream(ColumnType.BIGINT), 100))).isEmpty();
        clock().advanceMillis(12_000);
        betweenSteps();
        assertThat(values(store().expired(stream(ColumnType.BIGINT), 100))).containsExactly("e0", "e1", "e2");
        assertThat(values(store().expired(stream(ColumnType.BIGINT), 2))).containsExactly("e0", "e1");
        Table stream = stream(ColumnType.BIGINT);
        commit(new Batch().deleteRange(stream, stream.expiry().over(clock().millis())));
        betweenSteps();
        assertThat(values(store().expired(stream(ColumnType.BIGINT), 100))).isEmpty();
        clock().advanceMillis(-12_000);
        assertThat(values(stream(ColumnType.BIGINT), KeyRange.ALL, Direction.FORWARD))
                .containsExactly("e3", "e4");
    }

    @Test
    default void aTableWithoutATimeToLiveHasNoExpiredRows() {
        commit(new Batch().put(table(), Rows.key("a/1"), Rows.value("x")));
        clock().advance(Duration.ofDays(1000));
        assertThat(values(store().expired(table(), 100))).isEmpty();
    }
}
