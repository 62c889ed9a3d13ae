package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit.Append;
import io.polytable.cells.request.Edit.Delete;
import io.polytable.cells.request.Edit.Increment;
import io.polytable.cells.request.Edit.Put;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.cells.request.WriteResult;
import io.polytable.table.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes that read: counters, appends, conditions, nonces, batches. */
public abstract class CellWriteContract extends CellVersionContract {
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
    void aPutAfterIncrementsOfTheSameMillisecondReplacesTheCounter() {
        for (int i = 0; i < 50; i++) {
            table.write(RowWrite.of(ROW, new Increment(F, Q, 1)));
        }
        table.write(RowWrite.of(ROW, new Put(F, Q, counter(7))));
        assertThat(table.get(ROW, Selection.column(F, Q)).value(F, Q)).contains(counter(7));
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
        Selection none = Selection.ALL.withFilter(cell -> FilterDecision.SKIP);
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
}
