package io.polytable.server.run;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.View;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens a frontend on the HTTP port. Its paths exist from the start, the frontend once the engine is open. */
public interface HttpFaceOpener {
    Setting<Boolean> enabledKey();

    /** Its paths for POST. */
    List<String> paths();

    /** Prefixes under which it answers every method, such as {@code /entity/v1}. */
    default List<String> trees() {
        return List.of();
    }

    /**
     * The files that the frontend's rows name, for a store on which the frontend does not run.
     *
     * @param directory the data directory
     */
    default Optional<FaceFiles> files(TableStore store, Path directory) {
        return Optional.empty();
    }

    /** The directories inside the data directory where files belong, by the name of their storage. */
    default Map<String, Path> fileBases(Path directory) {
        return Map.of();
    }

    /**
     * Opens the frontend.
     *
     * @param memory its shares of the heap
     * @param directory for files of its own
     * @param views the views of the other frontends
     * @param access who may send requests
     */
    HttpFace open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Path directory,
            Supplier<List<View>> views,
            Access access);
}
