package io.polytable.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableSpecTest {
    private static final List<Column> COLUMNS =
            List.of(new Column("a", ColumnType.INT), new Column("b", ColumnType.STRING));
    private static final List<KeyColumn> KEY = List.of(KeyColumn.ascending("a"));

    @ParameterizedTest
    @ValueSource(strings = {"t", "redis_internal_data", "_x", "0", "a.b-c", "UPPER"})
    void ordinaryNamesAreAccepted(String name) {
        assertThat(named(name, name).name()).isEqualTo(new TableName(name, name));
        assertThat(named("n", "x".repeat(Limits.NAME_CHARS_MAX)).columns()).isEqualTo(COLUMNS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "-x", "a/b", "a:b", "a b", "a\u0000", "tab\t", "gr\u00f6\u00dfe"})
    void namesThatCouldBeMistakenAreRefused(String name) {
        assertRefused(() -> named("n", name));
        assertRefused(() -> named(name, "t"));
        assertRefused(() -> named("n", "x".repeat(Limits.NAME_CHARS_MAX + 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\u0000", "\ud800", "x\udc00"})
    void columnNamesThatCannotBeShownAreRefused(String name) {
        assertRefused(() -> spec(List.of(new Column("a", ColumnType.INT), new Column(name, ColumnType.INT)), KEY, KEY));
    }

    @Test
    void columnsHaveDifferentNamesAndABound() {
        assertRefused(() -> named("n", "t").withColumn(new Column("a", ColumnType.BYTES)));
        assertThat(spec(columns(Limits.COLUMNS_MAX), KEY, List.of()).columns()).hasSize(Limits.COLUMNS_MAX);
        assertRefused(() -> spec(columns(Limits.COLUMNS_MAX + 1), KEY, List.of()));
    }

    private static List<Column> columns(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Column(i == 0 ? "a" : "c" + i, ColumnType.INT))
                .toList();
    }

    @Test
    void theKeyIsMadeOfColumnsEachOnce() {
        assertRefused(() -> spec(COLUMNS, List.of(), List.of()));
        assertRefused(() -> spec(COLUMNS, List.of(), KEY));
        assertRefused(() -> spec(COLUMNS, List.of(KeyColumn.ascending("z")), List.of()));
        assertRefused(() -> spec(COLUMNS, KEY, List.of(KeyColumn.descending("a"))));
        assertRefused(() -> spec(COLUMNS, List.of(KeyColumn.ascending("a"), KeyColumn.ascending("a")), List.of()));
    }

    @Test
    void aTimeToLiveIsPositive() {
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
            TableOptions options = new TableOptions(Optional.of(ttl), true, true, false);
            assertRefused(
                    () -> new TableSpec(new TableName("n", "t"), TableKind.STREAM, COLUMNS, KEY, List.of(), options));
        }
    }

    @Test
    void anAddedColumnIsTheLast() {
        TableSpec more = named("n", "t").withColumn(new Column("c d", ColumnType.DOUBLE));
        assertThat(more.indexOf("c d")).isEqualTo(2);
        assertThat(more.indexOf("e")).isEqualTo(-1);
        assertThat(more.keyColumns()).isEqualTo(KEY);
    }

    private static TableSpec named(String namespace, String name) {
        return new TableSpec(
                new TableName(namespace, name), TableKind.SHARED, COLUMNS, KEY, List.of(), TableOptions.DEFAULT);
    }

    private static TableSpec spec(List<Column> columns, List<KeyColumn> partitionKey, List<KeyColumn> sortKey) {
        return new TableSpec(
                new TableName("n", "t"), TableKind.SHARED, columns, partitionKey, sortKey, TableOptions.DEFAULT);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.BAD_SPEC));
    }
}
