package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.exception.FlussRuntimeException;
import org.junit.jupiter.api.Test;

/** A coordinator that loses tables, which the real one does only now and then. */
class TableCreationTest {
    private static final Duration ANSWER_MAX = Duration.ofMillis(8);

    /** Has a leader from the given attempt on. */
    private static class Lossy implements TableCreation.Target {
        final List<String> calls = new ArrayList<>();
        private final int attempts;
        private int created;

        Lossy(int attempts) {
            this.attempts = attempts;
        }

        @Override
        public boolean create() {
            calls.add("create");
            created++;
            return true;
        }

        @Override
        public boolean hasLeader() {
            return created >= attempts;
        }

        @Override
        public void drop() {
            calls.add("drop");
        }
    }

    private static List<String> calls(Lossy table) {
        new TableCreation(table, ANSWER_MAX).run();
        return table.calls;
    }

    @Test
    void aTableWithALeaderIsCreatedOnce() {
        assertThat(calls(new Lossy(1))).containsExactly("create");
    }

    @Test
    void aTableThatStaysWithoutALeaderIsCreatedAgain() {
        assertThat(calls(new Lossy(3))).containsExactly("create", "drop", "create", "drop", "create");
    }

    /** A cluster that is merely slow gets there in the end. */
    @Test
    void theLastAttemptIsNotDropped() {
        assertThat(calls(new Lossy(Integer.MAX_VALUE)))
                .containsExactly("create", "drop", "create", "drop", "create", "drop", "create");
    }

    /** It may have rows. */
    @Test
    void aTableOfSomebodyElseIsNeverDropped() {
        assertThat(calls(new Lossy(Integer.MAX_VALUE) {
                    @Override
                    public boolean create() {
                        calls.add("exists");
                        return false;
                    }
                }))
                .containsExactly("exists");
    }

    /** Others may see a leader, and may have written. */
    @Test
    void aTableIsNotDroppedWhileItsLeaderIsUnknown() {
        assertThat(calls(new Lossy(1) {
                    @Override
                    public boolean hasLeader() {
                        throw new FlussRuntimeException("No server answers");
                    }
                }))
                .containsExactly("create");
    }
}
