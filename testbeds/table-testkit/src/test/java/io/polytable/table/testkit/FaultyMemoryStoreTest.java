package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.TableStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** The contract with every fourth call failing once or more: failed calls have no effect. */
class FaultyMemoryStoreTest extends MemoryStoreTest {
    private final FaultPlan plan = FaultPlan.seeded(42, 4);
    private final MemoryStore memory = new MemoryStore(MemoryStore.COMMITS_KEPT, clock());

    @Override
    protected TableStore open(Path directory) {
        return Retries.around(new FaultyStore(memory, plan));
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        super.forgetChanges(memory);
    }

    @AfterEach
    void thePlanWasCarriedOut() {
        assertThat(plan.faults()).isGreaterThan(plan.calls() / 10 - 5);
    }
}
