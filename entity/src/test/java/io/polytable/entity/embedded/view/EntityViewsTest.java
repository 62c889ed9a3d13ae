package io.polytable.entity.embedded.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.embedded.CellsEntityStore;
import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.Permission;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewImport;
import io.polytable.frontend.view.ViewScan;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entity tables as SQL sees them. */
class EntityViewsTest {
    private static final Value ABSENT = new Value.Absent();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private TableStore tables;

    @SuppressWarnings("NullAway.Init") // before each test
    private CellStore cells;

    @SuppressWarnings("NullAway.Init") // before each test
    private Instance instance;

    @SuppressWarnings("NullAway.Init") // before each test
    private EntityTable visits;

    @BeforeEach
    void create() {
        tables = EmbeddedStore.open(directory, EngineOptions.DEFAULT, FileLogOptions.defaults());
        cells = CellStore.open(tables, CellStoreOptions.DEFAULT);
        CellsEntityStore store = new CellsEntityStore(cells, () -> {});
        Entities.install(store, "demo", Map.of());
        instance = Instance.open(EntityUri.embedded(directory).withInstance("demo"), store);
        visits = instance.createTable(TableLayout.of(
                "visits",
                new FormattedKeys(
                        List.of(
                                new KeyComponent("user", ComponentType.STRING),
                                new KeyComponent("number", ComponentType.LONG)),
                        0,
                        false,
                        2,
                        1),
                LocalityGroup.of(
                                "main",
                                FamilyLayout.group(
                                        "info",
                                        ColumnLayout.of("page", CellSchema.avro("string")),
                                        ColumnLayout.of("cost", CellSchema.avro("[\"null\",\"double\"]")),
                                        ColumnLayout.of("hits", CellSchema.counter())),
                                FamilyLayout.map("tags", CellSchema.avro("int")))
                        .withMaxVersions(5)));
        visits.writer().put(visits.id("ann", 1), "info:page", 5, "home");
        visits.writer().put(visits.id("ann", 1), "info:page", 6, "cart");
        visits.writer().put(visits.id("ann", 1), "info:cost", 5, 2.5);
        visits.writer().put(visits.id("ann", 2), "tags:a", 7, 1);
        visits.writer().put(visits.id("ann", 2), "tags:b", 7, 2);
        visits.writer().increment(visits.id("bob"), "info:hits", 3);
    }

    @AfterEach
    void close() {
        cells.close();
        tables.close();
    }

    @Test
    void aUserReadsWhatIsPermitted() {
        for (String name : List.of("visits", "visits_cells")) {
            assertThat(view(name).isReadableBy(View.ROOT)).isTrue();
            assertThat(view(name).isReadableBy("ann")).isFalse();
        }
        instance.permissions().grant("ann", Optional.of("visits"), Set.of(Permission.READ));
        instance.permissions().grant("bob", Optional.empty(), Set.of(Permission.WRITE));
        for (String name : List.of("visits", "visits_cells")) {
            assertThat(view(name).isReadableBy("ann")).isTrue();
            assertThat(view(name).isReadableBy("bob")).isFalse();
        }
    }

    private View view(String name) {
        return new EntityViews(cells)
                .all().stream()
                        .filter(view -> view.name().equals(new TableName("entity_demo", name)))
                        .findFirst()
                        .orElseThrow();
    }

    private List<List<Value>> read(View view, ViewScan scan) {
        List<List<Value>> rows = new ArrayList<>();
        try (View.RowCursor cursor = view.rows(tables, scan)) {
            while (cursor.next()) {
                rows.add(cursor.row());
            }
        }
        return rows;
    }

    private static Value text(String value) {
        return new Value.OfString(value);
    }

    private static Value number(long value) {
        return new Value.OfBigint(value);
    }

    @Test
    void oneRowAnEntityWithTheNewestValues() {
        View rows = view("visits");
        assertThat(rows.columns())
                .containsExactly(
                        new Column("user", ColumnType.STRING),
                        new Column("number", ColumnType.BIGINT),
                        new Column("row_key", ColumnType.BYTES),
                        new Column("info_page", ColumnType.STRING),
                        new Column("info_cost", ColumnType.DOUBLE),
                        new Column("info_hits", ColumnType.BIGINT),
                        new Column("tags", ColumnType.STRING));
        assertThat(read(rows, ViewScan.of(List.of("user", "number", "info_page", "info_cost", "info_hits", "tags"))))
                .containsExactly(
                        List.of(text("ann"), number(1), text("cart"), new Value.OfDouble(2.5), ABSENT, ABSENT),
                        List.of(text("ann"), number(2), ABSENT, ABSENT, ABSENT, text("{\"a\":1,\"b\":2}")),
                        List.of(text("bob"), ABSENT, ABSENT, ABSENT, number(3), ABSENT));
    }

    @Test
    void theSameEntitiesWhicheverColumnsAreAskedFor() {
        View rows = view("visits");
        for (Column column : rows.columns()) {
            assertThat(read(rows, ViewScan.of(List.of(column.name()))))
                    .as(column.name())
                    .hasSize(3);
        }
        assertThat(read(rows, ViewScan.of(List.of("info_cost"))))
                .containsExactly(List.of(new Value.OfDouble(2.5)), List.of(ABSENT), List.of(ABSENT));
    }

    @Test
    void keysThatAreFixedNarrowTheScan() {
        View rows = view("visits");
        ViewScan ann = ViewScan.of(List.of("number")).within("user", ColumnRange.equalTo(text("ann")));
        assertThat(read(rows, ann)).containsExactly(List.of(number(1)), List.of(number(2)));
        assertThat(new KeyColumns(visits.layout().keys()).range(ann)).isEqualTo(visits.startingWith("ann"));
        ViewScan one = ann.within("number", ColumnRange.equalTo(number(2)));
        assertThat(read(rows, one)).containsExactly(List.of(number(2)));
        assertThat(read(rows, ann.within("number", ColumnRange.atLeast(number(2)))))
                .hasSize(1);
        Value key = new Value.OfBytes(visits.id("ann", 2).rowKey());
        assertThat(read(rows, ViewScan.of(List.of("user")).within("row_key", ColumnRange.atLeast(key))))
                .hasSize(2);
        assertThat(read(rows, ViewScan.of(List.of("user")).first(1))).hasSize(1);
    }

    @Test
    void oneRowACell() {
        View all = view("visits_cells");
        ViewScan scan = ViewScan.of(List.of("user", "family", "column", "timestamp", "value"));
        assertThat(read(all, scan)).hasSize(6);
        assertThat(read(all, scan.within("column", ColumnRange.equalTo(text("page")))))
                .containsExactly(
                        List.of(text("ann"), text("info"), text("page"), number(6), text("cart")),
                        List.of(text("ann"), text("info"), text("page"), number(5), text("home")));
        assertThat(read(all, scan.within("family", ColumnRange.equalTo(text("tags")))))
                .extracting(row -> row.get(4))
                .containsExactly(text("1"), text("2"));
        assertThat(read(all, scan.within("family", ColumnRange.equalTo(text("nope")))))
                .isEmpty();
        assertThat(read(all, scan.within("column", ColumnRange.equalTo(text("nope")))))
                .isEmpty();
    }

    private List<List<Value>> all(View view) {
        return read(view, ViewScan.all(view));
    }

    @Test
    void cellsComeBackAsTheyWere() {
        View shown = view("visits_cells");
        List<List<Value>> rows = all(shown);
        visits.writer().deleteRow(visits.id("ann", 1));
        visits.writer().deleteRow(visits.id("ann", 2));
        assertThat(all(shown)).hasSize(1);
        TableLayout layout = visits.layout();
        instance.dropTable("visits");
        visits = instance.createTable(layout);
        ViewImport importer = view("visits_cells").importer().orElseThrow();
        importer.write(rows);
        importer.write(rows);
        assertThat(all(view("visits_cells"))).isEqualTo(rows);
        assertThat(visits.reader()
                        .get(visits.id("ann", 1), DataRequest.of("info:page"))
                        .value("info:page", String.class))
                .hasValue("cart");
        visits.writer().increment(visits.id("bob"), "info:hits", 4);
        assertThat(all(view("visits_cells"))).anySatisfy(row -> assertThat(row).contains(text("7")));
    }

    @Test
    void cellsThatReadOtherwiseHereAreRefused() {
        View shown = view("visits_cells");
        List<List<Value>> rows = all(shown);
        int text = shown.columns().size() - 2;
        ViewImport importer = shown.importer().orElseThrow();
        for (int column : List.of(text - 3, text - 2, text, text + 1)) {
            List<Value> other = new ArrayList<>(rows.get(0));
            other.set(column, column > text ? new Value.OfBytes(Bytes.EMPTY) : text("another"));
            assertThatThrownBy(() -> importer.write(List.of(other)))
                    .as(shown.columns().get(column).name())
                    .isInstanceOf(StoreException.class);
        }
        assertThat(all(shown)).isEqualTo(rows);
        assertThat(view("visits").importer()).isEmpty();
        assertThat(view("visits").importedInto()).hasValue(shown.name());
    }

    @Test
    void aNewLayoutIsShownAtOnce() {
        EntityViews views = new EntityViews(cells);
        assertThat(views.all()).hasSize(2);
        instance.createTable(TableLayout.of(
                "other",
                visits.layout().keys(),
                LocalityGroup.of("g", FamilyLayout.group("f", ColumnLayout.of("q", CellSchema.json())))));
        assertThat(views.all()).hasSize(4);
        instance.dropTable("visits");
        assertThat(views.all()).hasSize(2).allMatch(view -> view.name().name().startsWith("other"));
    }
}
