package io.polytable.cells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Edit.Append;
import io.polytable.cells.Edit.Delete;
import io.polytable.cells.Edit.DeleteRow;
import io.polytable.cells.Edit.Increment;
import io.polytable.cells.Edit.Put;
import io.polytable.table.Bytes;
import io.polytable.table.BytesWriter;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every cell store does, each with the layouts it has. Extend it, and say how a store is opened and made to wait. */
public abstract class CellStoreContract {
    protected static final TableName NAME = new TableName("default", "people");
    protected static final Bytes F = Bytes.utf8("f");
    protected static final Bytes G = Bytes.utf8("g");
    protected static final Bytes Q = Bytes.utf8("q");
    protected static final Bytes ROW = Bytes.utf8("row");

    protected CellTable table;

    protected abstract CellStore store();

    protected abstract CellLayout layout();

    /** Lets so many milliseconds pass. */
    protected abstract void pass(long millis);

    protected abstract long now();

    @BeforeEach
    void createTable() {
        table = store().create(spec(FamilySpec.of(F).withVersions(0, 3), FamilySpec.of(G)));
    }

    protected CellTableSpec spec(FamilySpec... families) {
        return CellTableSpec.of(NAME, families).withLayout(layout());
    }

    private CellTable other(FamilySpec... families) {
        return store().create(spec(families).withName(new TableName("default", "other")));
    }

    protected static Bytes b(String text) {
        return Bytes.utf8(text);
    }

    private static Bytes counter(long value) {
        return new BytesWriter(8).i64(value).toBytes();
    }

    protected void put(String row, String qualifier, long timestamp, String value) {
        table.write(RowWrite.of(b(row), new Put(F, b(qualifier), timestamp, b(value))));
    }

    private List<String> values(Selection selection) {
        return values(table.get(ROW, selection).cells());
    }

    private static List<String> values(List<Cell> cells) {
        return cells.stream().map(cell -> cell.value().utf8()).toList();
    }

    private static Selection versions(int count) {
        return Selection.ALL.withMaxVersions(count);
    }

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

    @Test
    void incrementsCountAndRefuseWhatIsNoCounter() {
        WriteResult first = table.write(RowWrite.of(ROW, new Increment(F, Q, 5)));
        assertThat(first.cells()).extracting(Cell::value).containsExactly(counter(5));
        WriteResult second = table.write(RowWrite.of(ROW, new Increment(F, Q, -7)));
        assertThat(second.cells()).extracting(Cell::value).containsExactly(counter(-2));
        put("row", "text", 1, "text");
        RowWrite bad = RowWrite.of(ROW, new Increment(F, Q, 1), new Increment(F, b("text"), 1));
        assertThatThrownBy(() -> table.write(bad))
                .isInstanceOfSatisfying(
                        CellException.class, e -> assertThat(e.error()).isEqualTo(CellError.NOT_A_COUNTER));
        assertThat(table.get(ROW, Selection.column(F, Q)).value(F, Q)).contains(counter(-2));
    }

    @Test
    void appendsJoinAndAnswerWhatIsThere() {
        assertThat(values(
                        table.write(RowWrite.of(ROW, new Append(F, Q, b("a")))).cells()))
                .containsExactly("a");
        assertThat(values(
                        table.write(RowWrite.of(ROW, new Append(F, Q, b("b")))).cells()))
                .containsExactly("ab");
        assertThat(table.write(RowWrite.of(ROW, new Append(F, Q, b("c"))).withoutCells())
                        .cells())
                .isEmpty();
        assertThat(values(Selection.ALL)).containsExactly("abc");
    }

    @Test
    void conditionsDecideTogetherWithTheWrite() {
        Put put = new Put(F, Q, b("new"));
        assertThat(table.write(RowWrite.of(ROW, put).when(new Condition.Absent(F, Q)))
                        .applied())
                .isTrue();
        assertThat(table.write(RowWrite.of(ROW, put).when(new Condition.Absent(F, Q)))
                        .applied())
                .isFalse();
        for (Condition.Relation relation : Condition.Relation.values()) {
            boolean holds = relation.holds(b("new").compareTo(b("o")));
            Condition compares = new Condition.Compares(F, Q, relation, b("o"));
            assertThat(table.write(RowWrite.of(ROW, put).when(compares)).applied())
                    .as(relation.name())
                    .isEqualTo(holds);
        }
        Condition matches = new Condition.Matches(F, Q, TimeRange.ALL, cell -> cell.isPresent());
        assertThat(table.write(RowWrite.of(ROW, put).when(matches)).applied()).isTrue();
        Selection none = Selection.ALL.withFilter(cell -> FilterAnswer.SKIP);
        assertThat(table.write(RowWrite.of(ROW, put).when(new Condition.Selects(none)))
                        .applied())
                .isFalse();
        Condition any = new Condition.Selects(Selection.family(F));
        assertThat(table.write(RowWrite.of(ROW, Delete.column(F, Q, Cell.LATEST))
                                .when(any))
                        .applied())
                .isTrue();
        assertThat(values(Selection.ALL)).isEmpty();
    }

    @Test
    void aNonceMakesARetryHarmless() {
        RowWrite increment = RowWrite.of(ROW, new Increment(F, Q, 3)).with(new Nonce(1, 2));
        WriteResult first = table.write(increment);
        assertThat(table.write(increment)).isEqualTo(first);
        assertThat(table.get(ROW, Selection.ALL).value(F, Q)).contains(counter(3));
        assertThat(table.write(increment.with(new Nonce(1, 3))).cells())
                .extracting(Cell::value)
                .containsExactly(counter(6));
    }

    @Test
    void batchesAnswerForEachWriteAndSeeOneAnother() {
        put("bad", "q", 1, "text");
        List<WriteOutcome> outcomes = table.writeAll(List.of(
                RowWrite.of(ROW, new Increment(F, Q, 1)),
                RowWrite.of(b("bad"), new Increment(F, Q, 1)),
                RowWrite.of(ROW, new Increment(F, Q, 1)),
                RowWrite.of(ROW, new Put(b("nope"), Q, b("v"))),
                RowWrite.of(ROW, new Put(F, b("p"), b("v"))).when(new Condition.Absent(F, Q))));
        assertThat(outcomes).hasSize(5);
        assertThat(outcomes.get(1))
                .isInstanceOfSatisfying(
                        WriteOutcome.Failed.class,
                        failed -> assertThat(failed.failure().error()).isEqualTo(CellError.NOT_A_COUNTER));
        assertThat(outcomes.get(2))
                .isInstanceOfSatisfying(
                        WriteOutcome.Done.class,
                        done -> assertThat(done.result().cells())
                                .extracting(Cell::value)
                                .containsExactly(counter(2)));
        assertThat(outcomes.get(3))
                .isInstanceOfSatisfying(
                        WriteOutcome.Failed.class,
                        failed -> assertThat(failed.failure().error()).isEqualTo(CellError.NO_SUCH_FAMILY));
        assertThat(outcomes.get(4)).isEqualTo(new WriteOutcome.Done(WriteResult.NOT_APPLIED));
    }

    @Test
    void asynchronousCallsAnswerTheSame() {
        assertThat(table.writeAsync(RowWrite.of(ROW, new Put(F, Q, 1, b("v")))).join())
                .isEqualTo(WriteResult.APPLIED);
        assertThat(values(table.getAsync(ROW, Selection.ALL).join().cells())).containsExactly("v");
        assertThat(table.getAllAsync(List.of(b("x"), ROW), Selection.ALL).join())
                .extracting(CellRow::isEmpty)
                .containsExactly(true, false);
        assertThat(table.writeAsync(RowWrite.of(Bytes.EMPTY))
                        .handle((done, failure) -> failure)
                        .join())
                .isInstanceOf(CellException.class);
    }

    private void tenRows() {
        for (int row = 0; row < 10; row++) {
            for (int column = 0; column < 4; column++) {
                put("r" + row, "c" + column, 1, row + "." + column);
            }
        }
    }

    /** Every row's key and how many cells, over the whole scan in steps. */
    private List<String> scan(ScanRequest request, StepLimit limit) {
        List<String> rows = new ArrayList<>();
        try (CellScanner scanner = table.scan(request)) {
            ScanStep step = scanner.next(limit);
            while (true) {
                step.rows()
                        .forEach(row ->
                                rows.add(row.row().utf8() + ":" + row.cells().size()));
                if (!step.hasMore()) {
                    return rows;
                }
                step = scanner.next(limit);
            }
        }
    }

    @Test
    void scansGoBothWaysWithinARangeAndALimit() {
        tenRows();
        RowRange range = new RowRange(b("r3"), b("r6"));
        StepLimit two = StepLimit.of(2, 1 << 20);
        assertThat(scan(ScanRequest.of(range, Selection.ALL), two)).containsExactly("r3:4", "r4:4", "r5:4");
        assertThat(scan(ScanRequest.of(range, Selection.ALL).inReverse(), two)).containsExactly("r5:4", "r4:4", "r3:4");
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL).withRowLimit(2), two))
                .containsExactly("r0:4", "r1:4");
        assertThat(scan(ScanRequest.of(range, Selection.ALL).withBatchCells(3), two))
                .containsExactly("r3:3", "r3:1", "r4:3", "r4:1", "r5:3", "r5:1");
        assertThat(scan(ScanRequest.of(range, Selection.ALL.withFamilyPage(2, 1)), two))
                .containsExactly("r3:2", "r4:2", "r5:2");
    }

    @Test
    void stepsEndAtTheirBoundsAndSayWhy() {
        tenRows();
        try (CellScanner scanner =
                table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(cell -> FilterAnswer.SKIP)))) {
            ScanStep beat = scanner.next(new StepLimit(10, 1 << 20, 5, false, () -> false));
            assertThat(beat.end()).isEqualTo(ScanStep.End.HEARTBEAT);
            assertThat(beat.rows()).isEmpty();
            assertThat(scanner.position()).isPresent();
        }
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL))) {
            ScanStep part = scanner.next(new StepLimit(10, 60, 100, true, () -> false));
            assertThat(part.rows()).hasSize(1);
            assertThat(part.rows().get(0).partial()).isTrue();
        }
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL), StepLimit.of(1, 1)))
                .hasSize(10);
    }

    @Test
    void aScanSeesTheTableAsItWasWhenItWasOpened() {
        tenRows();
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL));
                CellSnapshot snapshot = table.snapshot()) {
            table.write(RowWrite.of(b("r9"), new DeleteRow(Cell.LATEST)));
            put("r99", "c0", 1, "later");
            ScanStep all = scanner.next(StepLimit.of(100, 1 << 20));
            assertThat(all.rows()).hasSize(10);
            assertThat(all.end()).isEqualTo(ScanStep.End.RANGE_DONE);
            assertThat(snapshot.get(b("r9"), Selection.ALL).isEmpty()).isFalse();
            assertThat(snapshot.get(b("r99"), Selection.ALL).isEmpty()).isTrue();
        }
    }

    @Test
    void aWideRowIsReadInPagesThatResume() {
        List<Edit> edits = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            edits.add(new Put(F, b("c" + (1000 + i)), 1, b("v")));
        }
        table.write(RowWrite.of(ROW, edits));
        List<Cell> all = new ArrayList<>();
        Optional<ResumePoint> after = Optional.empty();
        ScanRequest request = ScanRequest.of(RowRange.of(ROW), Selection.ALL).withBatchCells(70);
        for (int page = 0; page < 8; page++) {
            ScanRequest next = after.map(request::resumedAt).orElse(request);
            try (CellScanner scanner = table.scan(next)) {
                ScanStep step = scanner.next(StepLimit.of(1, 1 << 20));
                step.rows().forEach(row -> all.addAll(row.cells()));
                after = scanner.position();
            }
        }
        assertThat(all).hasSize(500).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void filtersSkipSeekAndDecideOnRows() {
        tenRows();
        CellFilter onlySecondColumn = new CellFilter() {
            @Override
            public FilterAnswer filter(Cell cell) {
                int order = cell.qualifier().compareTo(b("c1"));
                return order < 0 ? FilterAnswer.SEEK : order == 0 ? FilterAnswer.INCLUDE : FilterAnswer.NEXT_ROW;
            }

            @Override
            public Optional<CellPosition> hint(Cell cell) {
                return Optional.of(CellPosition.startOf(cell.row(), F, b("c1")));
            }
        };
        StepLimit limit = StepLimit.of(100, 1 << 20);
        assertThat(scan(
                        ScanRequest.of(new RowRange(b("r8"), Bytes.EMPTY), Selection.ALL.withFilter(onlySecondColumn)),
                        limit))
                .containsExactly("r8:1", "r9:1");
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new EveryThirdRow())), limit))
                .containsExactly("r0:4", "r3:4", "r6:4", "r9:4");
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new FirstRows(2))), limit))
                .containsExactly("r0:4", "r1:4");
        assertThat(scan(
                        ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new FirstRows(2)))
                                .inReverse(),
                        limit))
                .containsExactly("r9:4", "r8:4");
    }

    /** Wants rows whose number is a multiple of three, and seeks over the others. */
    private static final class EveryThirdRow implements CellFilter {
        @Override
        public FilterAnswer filter(Cell cell) {
            return number(cell) % 3 == 0 ? FilterAnswer.INCLUDE : FilterAnswer.SEEK;
        }

        @Override
        public Optional<CellPosition> hint(Cell cell) {
            return Optional.of(CellPosition.startOf(b("r" + (number(cell) / 3 * 3 + 3))));
        }

        private static int number(Cell cell) {
            return cell.row().at(1) - '0';
        }
    }

    /** Wants so many rows and no more. */
    private static final class FirstRows implements CellFilter {
        private int left;

        FirstRows(int count) {
            left = count;
        }

        @Override
        public FilterAnswer filter(Cell cell) {
            return FilterAnswer.INCLUDE;
        }

        @Override
        public boolean isDone() {
            return left == 0;
        }

        @Override
        public boolean looksAtRows() {
            return true;
        }

        @Override
        public boolean rejectsRow() {
            left--;
            return false;
        }
    }

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

    @Test
    void capabilitiesAreNamed() {
        assertThat(store().capabilities()).containsAll(Set.of(CellCapability.ATOMIC_ROWS, CellCapability.CONDITIONS));
    }
}
