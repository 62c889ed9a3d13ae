package io.polytable.frontend;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Declares and opens one protocol. Openers of different protocols do not depend on each other. */
public interface FrontendOpener {
    /** Its settings, in display order. */
    List<Setting<?>> settings();

    /** Whether it runs. */
    Setting<Boolean> enabled();

    /** The setting of a listener's port, for the error when that cannot be bound; empty without a port of its own. */
    default Optional<Setting<Integer>> port(String listener) {
        return Optional.empty();
    }

    /** Adds its shares to the memory plan; called whether or not it is enabled. */
    default void plan(MemoryPlan.Builder plan, Settings settings) {
        // A protocol that holds nothing between two rows.
    }

    /** Its paths on the HTTP port for POST. They exist from the start; until the frontend is open they answer 503. */
    default List<String> paths() {
        return List.of();
    }

    /** Path prefixes under which it answers every method, such as {@code /entity/v1}. */
    default List<String> trees() {
        return List.of();
    }

    /**
     * Opens the frontend; it accepts requests when this returns. If it fails, it has released everything it opened.
     *
     * @throws io.polytable.frontend.net.CannotListenException if an address cannot be bound
     */
    Frontend open(FrontendContext context) throws IOException;

    /**
     * Verifies that its rows are consistent with each other, in one walk that repairs on request: then it repairs what can
     * be derived from intact rows, and returns what is left. Empty if there is nothing to verify.
     *
     * @param repair whether to repair; then no other process and no frontend uses the store
     * @param progress receives the progress of a repair
     */
    default Optional<Findings> verify(TableStore store, Settings settings, boolean repair, Progress progress) {
        return Optional.empty();
    }
}
