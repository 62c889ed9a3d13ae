package io.polytable.table.testkit;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Cursor;
import io.polytable.table.Position;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
    @Test
    void everyCallOfAHistoryCanBeTheOneThatFails() {
        FaultPlan counting = FaultPlan.none();
        List<String> undisturbed = history(new FaultyStore(new MemoryStore(), counting));
        assertThat(counting.calls()).isGreaterThan(5);
        for (long n = 1; n <= counting.calls(); n++) {
            FaultPlan plan = FaultPlan.at(n);
            FaultyStore store = new FaultyStore(new MemoryStore(), plan);
            StoreException failure = catchThrowableOfType(StoreException.class, () -> history(store));
            assertThat(failure.error().retryable()).as("call %d", n).isTrue();
            assertThat(plan.faults()).isEqualTo(1);
            FaultyStore again = new FaultyStore(new MemoryStore(), FaultPlan.at(n));
            assertThat(history(Retries.around(again))).as("call %d", n).isEqualTo(undisturbed);
        }
    }

    private static List<String> history(TableStore store) {
        Table table = store.create(Rows.spec("t"));
        store.commit(new Batch().put(table, key("a/1"), value("1")).put(table, key("a/2"), value("2")));
        store.commit(new Batch().delete(table, key("a/1")));
        try (Cursor cursor = store.scan(table, Rows.partition("a/"));
                ChangeFeed feed = store.changes(Set.of(table), Position.START)) {
            List<String> rows = Rows.rest(cursor);
            return List.of(
                    rows.toString(),
                    store.read(table, key("a/2")).toString(),
                    feed.poll(10, Duration.ZERO).toString());
        }
    }

    @Test
    void aSeededPlanFailsAtTheSameCallsEachTime() {
        assertThat(faultsOf(FaultPlan.seeded(3, 4))).isEqualTo(faultsOf(FaultPlan.seeded(3, 4)));
        assertThat(faultsOf(FaultPlan.seeded(3, 4))).isNotEqualTo(faultsOf(FaultPlan.seeded(4, 4)));
    }

    private static List<Boolean> faultsOf(FaultPlan plan) {
        FaultyStore store = new FaultyStore(new MemoryStore(), plan);
        return IntStream.range(0, 50)
                .mapToObj(i -> catchThrowableOfType(StoreException.class, store::snapshot) != null)
                .toList();
    }
}
