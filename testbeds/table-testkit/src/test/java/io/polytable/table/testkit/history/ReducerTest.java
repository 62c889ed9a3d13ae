package io.polytable.table.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The kit itself: stores with a planted bug are detected, and the reduced history is short. */
class ReducerTest {
    @Test
    void onlyWhatIsNeededStays() {
        List<Integer> numbers = IntStream.range(0, 1000).boxed().toList();
        List<Integer> shortest =
                Reducer.reduce(numbers, some -> some.contains(7) && some.contains(500) && some.contains(993));
        assertThat(shortest).containsExactly(7, 500, 993);
    }

    @Test
    void aHistoryThatAlwaysFailsBecomesEmpty() {
        assertThat(Reducer.reduce(List.of(1, 2, 3), some -> true)).isEmpty();
    }

    @Test
    void theAttemptsAreBounded() {
        List<Integer> numbers = IntStream.range(0, 5000).boxed().toList();
        assertThat(Reducer.reduce(numbers, some -> some.size() == 5000)).hasSize(5000);
    }

    @Test
    void aForgottenDeleteIsFound() {
        AssertionError failure = failureOf(() -> new ForwardingStore(new MemoryStore()) {
            @Override
            public Commit commit(Batch batch) {
                return batch.size() == 1 && batch.row(new EncodedRow(), 0).op() == EncodedRow.DELETE
                        ? latest()
                        : super.commit(batch);
            }
        });
        assertThat(failure).hasMessageContaining("seed 1, step").hasMessageContaining("3 steps that are enough");
        assertThat(failure).hasMessageContaining("commit(new Batch().delete(");
    }

    @Test
    void aLimitThatIsIgnoredBackwardsIsFound() {
        AssertionError failure = failureOf(() -> new ForwardingStore(new MemoryStore()) {
            @Override
            public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
                return super.scan(table, range, direction, direction == Direction.REVERSE ? limit + 1 : limit);
            }
        });
        assertThat(failure).hasMessageContaining("REVERSE");
    }

    @Test
    void aStoreThatThrowsIsFoundWithItsCause() {
        AssertionError failure = failureOf(() -> new ForwardingStore(new MemoryStore()) {
            @Override
            public Commit commit(Batch batch) {
                if (batch.size() > 3) {
                    throw new IllegalStateException("planted");
                }
                return super.commit(batch);
            }
        });
        assertThat(failure).hasMessageContaining("1 steps that are enough").hasRootCauseMessage("planted");
    }

    private static AssertionError failureOf(Supplier<TableStore> opener) {
        List<Step> steps = new Workload(1, false).steps(400);
        Comparison comparison = candidate -> Comparison.compare(candidate, opener, () -> {});
        return catchThrowableOfType(AssertionError.class, () -> comparison.require("seed 1", steps));
    }

    @Test
    void aSeedAlwaysMakesTheSameHistory() {
        assertThat(new Workload(5, false).steps(100))
                .isEqualTo(new Workload(5, false).steps(100))
                .isNotEqualTo(new Workload(6, false).steps(100));
    }
}
