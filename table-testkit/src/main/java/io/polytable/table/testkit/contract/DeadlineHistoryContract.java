package io.polytable.table.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Batch;
import io.polytable.table.Capability;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.testkit.Rows;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of rows with deadlines, compared with a map of values and times. */
interface DeadlineHistoryContract extends DeadlineContract {
    int STEPS = 150;
    int KEYS = 12;
    Duration TTL = Duration.ofMillis(500);

    /** A row of the model. */
    record Living(String value, long deadlineMillis) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    default void rowsAreShownAsAModelShowsThem(long seed) {
        Random random = new Random(seed);
        NavigableMap<String, Living> model = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            step(random, step, model);
            assertThat(Rows.all(store(), living()))
                    .as("seed %d, step %d", seed, step)
                    .containsExactlyElementsOf(shown(model));
            if (random.nextInt(10) == 0) {
                betweenSteps();
            }
        }
    }

    private Table living() {
        return expiring(Optional.of(TTL));
    }

    private Iterable<String> shown(NavigableMap<String, Living> model) {
        return model.entrySet().stream()
                .filter(row -> row.getValue().deadlineMillis() > clock().millis())
                .map(row -> row.getKey() + "=" + row.getValue().value())
                .toList();
    }

    private void step(Random random, int step, NavigableMap<String, Living> model) {
        String key = "abc".charAt(random.nextInt(3)) + "/" + random.nextInt(KEYS / 3);
        String value = "v" + step;
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                commit(new Batch().put(living(), Rows.key(key), Rows.value(value)));
                model.put(key, new Living(value, clock().millis() + TTL.toMillis()));
            }
            case 2, 3, 4 -> {
                long deadline = random.nextInt(8) == 0 ? Long.MAX_VALUE : clock().millis() + random.nextInt(2000) - 100;
                commit(new Batch().putUntil(living(), Rows.key(key), Rows.value(value), deadline));
                model.put(key, new Living(value, deadline));
            }
            case 5 -> {
                commit(new Batch().delete(living(), Rows.key(key)));
                model.remove(key);
            }
            case 6 -> {
                clock().advanceMillis(random.nextInt(400));
            }
            case 7 -> removeAllExpired();
            default -> snapshot(random, model);
        }
    }

    private void snapshot(Random random, NavigableMap<String, Living> model) {
        assume(Capability.SNAPSHOT);
        Map<String, Living> before = Map.copyOf(model);
        try (Snapshot snapshot = store().snapshot()) {
            Iterable<String> expected = shown(new TreeMap<>(before));
            clock().advanceMillis(random.nextInt(400));
            removeAllExpired();
            assertThat(Rows.all(snapshot, living())).containsExactlyElementsOf(expected);
        }
    }
}
