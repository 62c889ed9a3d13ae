package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.Edit.Delete;
import io.polytable.cells.request.Edit.DeleteRow;
import io.polytable.cells.request.Edit.Put;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which versions a read returns: newest first, within times and limits, not deleted, not expired. */
public abstract class CellVersionContract extends CellFixture {
    @Test
    void showsTheNewestVersionFirstAndNoMoreThanAreKept() {
        put("row", "q", 2, "two");
        put("row", "q", 4, "four");
        put("row", "q", 1, "one");
        put("row", "q", 3, "three");
        assertThat(values(Selection.ALL)).containsExactly("four");
        assertThat(values(versions(2))).containsExactly("four", "three");
        assertThat(values(versions(100))).containsExactly("four", "three", "two");
    }

    @Test
    void aPutOfTheSameTimestampReplaces() {
        put("row", "q", 2, "first");
        put("row", "q", 2, "second");
        assertThat(values(versions(3))).containsExactly("second");
    }

    @Test
    void timeRangesAreHalfOpenAndMayDifferByFamily() {
        put("row", "q", 2, "two");
        put("row", "q", 3, "three");
        table.write(RowWrite.of(ROW, new Put(G, Q, 3, b("g"))));
        assertThat(values(versions(3).withTimes(new TimeRange(2, 3)))).containsExactly("two");
        Selection mixed = versions(3)
                .withTimes(new TimeRange(2, 3))
                .with(F, FamilySelection.WHOLE)
                .with(G, FamilySelection.WHOLE.withTimes(new TimeRange(3, 4)));
        assertThat(values(mixed)).containsExactly("two", "g");
    }

    @Test
    void columnsAreSelectedByNameAlsoTheEmptyOne() {
        for (String qualifier : List.of("", "a", "b", "c")) {
            put("row", qualifier, 1, "v" + qualifier);
        }
        assertThat(values(Selection.ALL.withColumns(F, List.of(Bytes.EMPTY, b("b"), b("x")))))
                .containsExactly("v", "vb");
        assertThat(values(Selection.column(F, b("a")))).containsExactly("va");
        assertThatThrownBy(() -> table.get(ROW, Selection.family(b("nope"))))
                .isInstanceOfSatisfying(
                        CellException.class, e -> assertThat(e.error()).isEqualTo(CellError.NO_SUCH_FAMILY));
    }

    @Test
    void deletesMaskByTimestampAlsoWhatIsWrittenLater() {
        put("row", "q", 5, "five");
        table.write(RowWrite.of(ROW, Delete.column(F, Q, 6)));
        assertThat(values(versions(3))).isEmpty();
        put("row", "q", 6, "six");
        put("row", "q", 4, "late");
        assertThat(values(versions(3))).isEmpty();
        put("row", "q", 7, "seven");
        assertThat(values(versions(3))).containsExactly("seven");
    }

    @Test
    void deletesOfVersionsFamiliesAndRowsMaskWhatTheySay() {
        for (long time = 1; time <= 3; time++) {
            put("row", "p", time, "p" + time);
            put("row", "q", time, "q" + time);
        }
        table.write(RowWrite.of(ROW, new Put(G, Q, 1, b("g1"))));
        table.write(RowWrite.of(ROW, Delete.version(F, Q, 2)));
        assertThat(values(Selection.column(F, Q).withMaxVersions(3))).containsExactly("q3", "q1");
        table.write(RowWrite.of(ROW, Delete.version(F, Q, Cell.LATEST)));
        assertThat(values(Selection.column(F, Q).withMaxVersions(3))).containsExactly("q1");
        table.write(RowWrite.of(ROW, Delete.familyVersion(F, 3)));
        assertThat(values(versions(3))).containsExactly("p2", "p1", "q1", "g1");
        table.write(RowWrite.of(ROW, Delete.family(F, 1)));
        assertThat(values(versions(3))).containsExactly("p2", "g1");
        table.write(RowWrite.of(ROW, new DeleteRow(Cell.LATEST)));
        assertThat(table.get(ROW, versions(3)).isEmpty()).isTrue();
    }

    @Test
    void aDeleteWinsOverAPutOfTheSameTimestampInEitherOrder() {
        table.write(RowWrite.of(ROW, new Put(F, Q, 5, b("v")), Delete.column(F, Q, 5)));
        table.write(RowWrite.of(ROW, Delete.version(F, b("p"), 5), new Put(F, b("p"), 5, b("v"))));
        assertThat(values(versions(3))).isEmpty();
    }

    @Test
    void aPutAfterADeleteIsSeenThoughTheClockStands() {
        for (int i = 0; i < 5; i++) {
            table.write(RowWrite.of(ROW, new Put(F, Q, b("v" + i))));
            assertThat(values(Selection.ALL)).containsExactly("v" + i);
            table.write(RowWrite.of(ROW, new DeleteRow(Cell.LATEST)));
            assertThat(values(versions(3))).isEmpty();
        }
    }

    @Test
    void rawReadsShowMarkersAndWhatTheyMask() {
        put("row", "q", 1, "one");
        table.write(RowWrite.of(ROW, Delete.column(F, Q, 2)));
        List<Cell> raw = table.get(ROW, versions(5).asRaw()).cells();
        assertThat(raw).extracting(Cell::kind).containsExactly(CellKind.DELETE_COLUMN, CellKind.PUT);
        store().compact(NAME, true);
        assertThat(table.get(ROW, versions(5).asRaw()).isEmpty()).isTrue();
        put("row", "q", 1, "again");
        assertThat(values(Selection.ALL)).containsExactly("again");
    }

    @Test
    void keptDeletedCellsAreSeenByReadsOfThePast() {
        table = other(FamilySpec.of(F).withVersions(0, 3).withKeepDeleted(KeepDeleted.ALWAYS));
        put("row", "q", 1, "one");
        table.write(RowWrite.of(ROW, Delete.column(F, Q, 2)));
        store().compact(table.name(), true);
        assertThat(values(versions(3))).isEmpty();
        assertThat(values(versions(3).withTimes(new TimeRange(0, 2)))).containsExactly("one");
    }

    @Test
    void cellsExpireByFamilyAndByThemselves() {
        table = other(FamilySpec.of(F).withVersions(0, 3).withTtlMillis(10_000));
        table.write(RowWrite.of(ROW, new Put(F, Q, now(), b("long"))));
        table.write(RowWrite.of(ROW, new Put(F, b("short"), now(), b("short"), 1000)));
        assertThat(values(versions(3))).containsExactly("long", "short");
        pass(2000);
        assertThat(values(versions(3))).containsExactly("long");
        pass(9000);
        assertThat(values(versions(3))).isEmpty();
    }

    @Test
    void theLeastNumberOfVersionsOutlivesTheTimeToLive() {
        table = other(FamilySpec.of(F).withVersions(2, 5).withTtlMillis(10_000));
        for (int i = 0; i < 4; i++) {
            put("row", "q", now() - 20_000 + i, "v" + i);
        }
        assertThat(values(versions(5))).containsExactly("v3", "v2");
        store().compact(table.name(), false);
        assertThat(values(versions(5))).containsExactly("v3", "v2");
    }
}
