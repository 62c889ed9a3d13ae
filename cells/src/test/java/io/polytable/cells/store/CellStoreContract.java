package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellRow;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Edit.Delete;
import io.polytable.cells.request.Edit.Put;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract of cell stores as a test suite. Extend it and define how a store is opened and how its clock advances.
 * Its superclasses contain the other parts of the suite.
 */
public abstract class CellStoreContract extends CellScanContract {
    @Test
    void definitionsChangeAndCellsWithThem() {
        put("row", "q", 1, "one");
        table.write(RowWrite.of(ROW, new Put(G, Q, 1, b("g"))));
        store().alter(spec(FamilySpec.of(F).withVersions(0, 3)));
        assertThat(values(Selection.ALL)).containsExactly("one");
        store().alter(spec(FamilySpec.of(F), FamilySpec.of(G), FamilySpec.of(b("h"))));
        assertThat(values(Selection.ALL)).containsExactly("one");
        table.write(RowWrite.of(ROW, new Put(b("h"), Q, 1, b("h"))));
        assertThat(values(Selection.ALL)).containsExactly("one", "h");
        store().truncate(NAME);
        assertThat(values(Selection.ALL)).isEmpty();
        put("row", "q", 1, "after");
        assertThat(values(Selection.ALL)).containsExactly("after");
        store().drop(NAME);
        assertThat(store().find(NAME)).isEmpty();
        assertThatThrownBy(() -> put("row", "q", 1, "late"))
                .isInstanceOfSatisfying(
                        CellException.class, e -> assertThat(e.error()).isEqualTo(CellError.NO_SUCH_TABLE));
    }

    @Test
    void aRangeOfRowsIsTruncatedWithItsMarkers() {
        for (String row : List.of("a", "b", "c", "d")) {
            put(row, "q", 1, row);
            put(row, "q", 2, row);
        }
        table.write(RowWrite.of(b("c"), new Edit.DeleteRow(9)));
        store().truncate(NAME, new RowRange(b("b"), b("d")));
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL))) {
            assertThat(scanner.next(StepLimit.of(10, 1 << 20)).rows())
                    .extracting(CellRow::row)
                    .containsExactly(b("a"), b("d"));
        }
        put("c", "q", 3, "again");
        assertThat(table.get(b("c"), Selection.ALL).cells()).hasSize(1);
    }

    /** A client's limit for a result counts each cell's content and 52 bytes. */
    @Test
    void aStepEndsWhenItsCellsCountEnough() {
        for (int i = 0; i < 20; i++) {
            put("row", "c" + (10 + i), 1, "v");
        }
        int cellBytes = "row".length() + F.length() + "c10".length() + 1 + 52;
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL))) {
            ScanStep step =
                    scanner.next(new StepLimit(10, Long.MAX_VALUE, 7L * cellBytes, Long.MAX_VALUE, true, () -> false));
            assertThat(step.rows().get(0).cells()).hasSize(7);
        }
    }

    @Test
    void copiesAndSavedTablesKeepEverything() {
        put("row", "q", 1, "one");
        put("row", "q", 2, "two");
        table.write(RowWrite.of(ROW, Delete.version(F, Q, 2)));
        store().save(NAME, "before");
        put("row", "q", 3, "three");
        TableName copyName = new TableName("other", "copy");
        CellTable copy = store().copy(NAME, copyName);
        assertThat(values(copy.get(ROW, versions(3)).cells())).containsExactly("three", "one");
        store().restore("before", NAME);
        assertThat(values(versions(3))).containsExactly("one");
        CellTable cloned = store().restore("before", new TableName("default", "cloned"));
        assertThat(cloned.get(ROW, versions(5).asRaw()).cells()).hasSize(3);
        assertThat(store().saved()).extracting(SavedTable::name).containsExactly("before");
        store().forget("before");
        assertThat(store().saved()).isEmpty();
        assertThatThrownBy(() -> store().restore("before", NAME))
                .isInstanceOfSatisfying(
                        CellException.class, e -> assertThat(e.error()).isEqualTo(CellError.NO_SUCH_SNAPSHOT));
        assertThat(values(copy.get(ROW, versions(3)).cells())).containsExactly("three", "one");
    }

    /** A copy keeps the position of a column whose family was added or removed later. */
    @Test
    void copiesOfAlteredTablesKeepEverything() {
        table.write(RowWrite.of(ROW, new Put(F, Q, 1, b("f")), new Put(G, Q, 1, b("g"))));
        store().alter(spec(FamilySpec.of(b("a")), FamilySpec.of(G), FamilySpec.of(b("h"))));
        table.write(RowWrite.of(ROW, new Put(b("a"), Q, 1, b("a")), new Put(b("h"), Q, 1, b("h"))));
        store().save(NAME, "altered");
        CellTable copy = store().copy(NAME, new TableName("other", "copy"));
        assertThat(values(copy.get(ROW, Selection.ALL).cells())).containsExactly("a", "g", "h");
        store().restore("altered", NAME);
        assertThat(values(Selection.ALL)).containsExactly("a", "g", "h");
        table.write(RowWrite.of(ROW, new Put(G, Q, 2, b("later"))));
        assertThat(values(Selection.ALL)).containsExactly("a", "later", "h");
    }

    @Test
    void recordsAreKeptBesideTheTables() {
        CellRecords records = store().records();
        records.put(b("ns/a"), b("1"));
        records.put(b("ns/b"), b("2"));
        records.put(b("other"), b("3"));
        assertThat(records.replace(b("ns/a"), Optional.of(b("0")), b("9"))).isFalse();
        assertThat(records.replace(b("ns/a"), Optional.of(b("1")), b("9"))).isTrue();
        assertThat(records.withPrefix(b("ns/")))
                .containsEntry(b("ns/a"), b("9"))
                .hasSize(2);
        records.remove(b("ns/a"));
        assertThat(records.get(b("ns/a"))).isEmpty();
    }

    @Test
    void limitsAreRefusedWithATypedError() {
        refused(CellError.BAD_REQUEST, () -> table.get(Bytes.EMPTY, Selection.ALL));
        Bytes longRow = Bytes.of(new byte[CellLimits.ROW_BYTES_MAX + 1]);
        refused(CellError.TOO_LARGE, () -> table.get(longRow, Selection.ALL));
        refused(CellError.TOO_LARGE, () -> table.write(RowWrite.of(longRow, new Put(F, Q, b("v")))));
        Bytes longQualifier = Bytes.of(new byte[CellLimits.QUALIFIER_BYTES_MAX + 1]);
        refused(CellError.TOO_LARGE, () -> table.write(RowWrite.of(ROW, new Put(F, longQualifier, b("v")))));
        Bytes large = Bytes.of(new byte[CellLimits.VALUE_BYTES_MAX + 1]);
        refused(CellError.TOO_LARGE, () -> table.write(RowWrite.of(ROW, new Put(F, Q, large))));
        List<Edit> many = Collections.nCopies(CellLimits.EDITS_PER_ROW_WRITE_MAX + 1, new Put(F, Q, b("v")));
        refused(CellError.TOO_LARGE, () -> table.write(RowWrite.of(ROW, many)));
        refused(CellError.BAD_REQUEST, () -> table.write(RowWrite.of(ROW, new Put(F, Q, -1, b("v")))));
        refused(
                CellError.BAD_REQUEST,
                () -> table.get(ROW, Selection.column(F, Q).asRaw()));
        refused(CellError.TABLE_EXISTS, () -> store().create(spec(FamilySpec.of(F))));
        refused(CellError.BAD_SPEC, () -> FamilySpec.of("a:b"));
        refused(CellError.BAD_SPEC, () -> FamilySpec.of(F).withVersions(3, 2));
        refused(CellError.BAD_SPEC, () -> spec());
    }

    @Test
    void theLargestKeysAreKept() {
        Bytes row = Bytes.of(new byte[CellLimits.ROW_BYTES_MAX]);
        Bytes qualifier = Bytes.of(new byte[CellLimits.QUALIFIER_BYTES_MAX]);
        table.write(RowWrite.of(row, new Put(F, qualifier, 1, b("v"))));
        assertThat(table.get(row, Selection.column(F, qualifier)).value(F, qualifier))
                .contains(b("v"));
    }

    private static void refused(CellError error, Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        CellException.class, e -> assertThat(e.error()).isEqualTo(error));
    }
}
