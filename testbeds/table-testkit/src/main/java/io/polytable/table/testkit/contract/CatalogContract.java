package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Creating, finding, changing and dropping tables. */
interface CatalogContract extends StoreUnderTest {
    @Test
    default void aCreatedTableIsFound() {
        Table created = table("one");
        assertThat(created.spec()).isEqualTo(Rows.spec("one"));
        assertThat(store().find(created.name())).containsSame(created);
        betweenSteps();
        assertThat(store().find(created.name()).orElseThrow().spec()).isEqualTo(Rows.spec("one"));
        assertThat(store().find(created.name()).orElseThrow().id()).isEqualTo(created.id());
        assertThat(store().find(new TableName("kit", "two"))).isEmpty();
        assertThat(store().find(new TableName("other", "one"))).isEmpty();
    }

    @Test
    default void everyKindAndOptionIsKept() {
        for (TableKind kind : TableKind.values()) {
            TableSpec spec = Rows.spec("kind_" + kind.tag());
            TableName name = nameOf(kind);
            TableOptions options = new TableOptions(
                    Optional.of(Duration.ofDays(kind.tag())), false, false, true, true, Optional.empty());
            store().create(new TableSpec(name, kind, spec.columns(), spec.partitionKey(), spec.sortKey(), options));
        }
        betweenSteps();
        for (TableKind kind : TableKind.values()) {
            TableSpec found = store().find(nameOf(kind)).orElseThrow().spec();
            assertThat(found.kind()).isEqualTo(kind);
            assertThat(found.options().ttl()).contains(Duration.ofDays(kind.tag()));
            assertThat(found.options().memory()).isTrue();
        }
    }

    private static TableName nameOf(TableKind kind) {
        TableName name = Rows.spec("kind_" + kind.tag()).name();
        return kind == TableKind.SYSTEM ? new TableName(TableName.SYSTEM_NAMESPACE, name.name()) : name;
    }

    @Test
    default void systemTablesStayInTheirNamespaceAndOffTheCatalog() {
        TableSpec spec = Rows.spec("kind");
        for (TableName name : List.of(
                new TableName("one", "settings"),
                new TableName("one", "catalog"),
                new TableName(TableName.SYSTEM_NAMESPACE, "catalog"))) {
            TableSpec refused = new TableSpec(
                    name, TableKind.SYSTEM, spec.columns(), spec.partitionKey(), spec.sortKey(), spec.options());
            StoreUnderTest.assertFails(StoreError.BAD_SPEC, () -> store().create(refused));
            assertThat(store().find(name)).isEmpty();
        }
    }

    @Test
    default void tablesAreListedByName() {
        Set<TableName> before =
                new HashSet<>(store().tables().stream().map(Table::name).toList());
        List.of("b", "a", "c_1", "c").forEach(this::table);
        betweenSteps();
        assertThat(store().tables().stream()
                        .map(Table::name)
                        .filter(name -> !before.contains(name))
                        .map(TableName::name))
                .containsExactly("a", "b", "c", "c_1");
    }

    @Test
    default void creatingAgainWithTheSameSpecAnswersThePresentTable() {
        put("a/1", "x");
        Table again = store().create(Rows.spec("t"));
        assertThat(again).isSameAs(table());
        assertRow("a/1", "x");
    }

    @Test
    default void creatingAgainWithAnotherSpecIsRefused() {
        table();
        TableSpec other = Rows.spec("t").withColumn(new Column("more", ColumnType.INT));
        betweenSteps();
        StoreUnderTest.assertFails(StoreError.TABLE_EXISTS, () -> store().create(other));
        assertThat(table().spec()).isEqualTo(Rows.spec("t"));
    }

    @Test
    default void aDroppedTableIsGoneWithItsRows() {
        put("a/1", "x");
        Table dropped = table();
        store().drop(dropped.name());
        assertThat(store().find(dropped.name())).isEmpty();
        StoreUnderTest.assertFails(StoreError.NO_SUCH_TABLE, () -> store().read(dropped, key("a/1")));
        StoreUnderTest.assertFails(StoreError.NO_SUCH_TABLE, () -> store().scan(dropped, KeyRange.ALL));
        StoreUnderTest.assertFails(
                StoreError.NO_SUCH_TABLE, () -> store().commit(new Batch().put(dropped, key("a/1"), value("y"))));
        StoreUnderTest.assertFails(
                StoreError.NO_SUCH_TABLE, () -> store().drop(Rows.spec("t").name()));
        StoreUnderTest.assertFails(
                StoreError.NO_SUCH_TABLE,
                () -> store().addColumn(Rows.spec("t").name(), new Column("more", ColumnType.INT)));
        betweenSteps();
        assertThat(store().find(Rows.spec("t").name())).isEmpty();
    }

    @Test
    default void anOpenCursorShowsItsSnapshotOfADroppedTable() {
        for (KeyRange range : CursorContract.RANGES) {
            putAll("a/1=1", "a/2=2", "a/3=3", "a/4=4");
            betweenSteps();
            commit(new Batch().delete(table(), key("a/3")).put(table(), key("a/5"), value("5")));
            try (Cursor cursor = store().scan(table(), range)) {
                assertThat(cursor.next()).isTrue();
                commit(new Batch().delete(table(), key("a/4")).put(table(), key("a/6"), value("6")));
                store().drop(table().name());
                table();
                assertThat(Rows.rest(cursor)).as("%s", range).containsExactly("a/2=2", "a/4=4", "a/5=5");
            }
        }
    }

    @Test
    default void aSnapshotRefusesADroppedTableAndShowsTheOthers() {
        put("a/1", "x");
        commit(new Batch().put(table("other"), key("a/1"), value("y")));
        Table dropped = table();
        try (Snapshot snapshot = store().snapshot();
                Cursor cursor = snapshot.scan(dropped, KeyRange.ALL)) {
            commit(new Batch().put(table("other"), key("a/1"), value("late")));
            store().drop(dropped.name());
            StoreUnderTest.assertFails(StoreError.NO_SUCH_TABLE, () -> snapshot.read(dropped, key("a/1")));
            StoreUnderTest.assertFails(StoreError.NO_SUCH_TABLE, () -> snapshot.scan(dropped, KeyRange.ALL));
            assertThat(Rows.rest(cursor)).containsExactly("a/1=x");
            assertThat(Rows.all(snapshot, table("other"))).containsExactly("a/1=y");
        }
    }

    @Test
    default void aTableCreatedAgainIsEmptyAndHasAnotherId() {
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            assertThat(Rows.all(store(), table())).isEmpty();
            assertNoRow("a/1");
            assertThat(ids.add(table().id())).as("id %d is new", table().id()).isTrue();
            putAll("a/1=x", "a/2=y");
            betweenSteps();
            assertThat(Rows.all(store(), table())).hasSize(2);
            store().drop(table().name());
            betweenSteps();
        }
    }

    @Test
    default void droppingOneTableLeavesTheOthers() {
        put("a/1", "x");
        commit(new Batch().put(table("other"), key("a/1"), value("y")));
        store().drop(table("other").name());
        betweenSteps();
        assertRow("a/1", "x");
    }

    @Test
    default void anAddedColumnIsTheLastAndTheHandleStays() {
        put("a/1", "x");
        Table handle = table();
        Column more = new Column("more", ColumnType.DOUBLE);
        Table altered = store().addColumn(handle.name(), more);
        assertThat(altered).isSameAs(handle);
        assertThat(handle.spec()).isEqualTo(Rows.spec("t").withColumn(more));
        betweenSteps();
        Table found = store().find(Rows.spec("t").name()).orElseThrow();
        assertThat(found.spec()).isEqualTo(Rows.spec("t").withColumn(more));
        assertThat(store().read(found, key("a/1"))).contains(value("x"));
        StoreUnderTest.assertFails(StoreError.BAD_SPEC, () -> store().addColumn(found.name(), more));
        StoreUnderTest.assertFails(StoreError.TABLE_EXISTS, () -> store().create(Rows.spec("t")));
    }
}
