package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import io.polytable.server.http.AdminToken;
import io.polytable.table.view.TableView;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** How a face on the HTTP port is switched on and opened. Its paths are there from the start, itself once the engine is. */
public interface HttpFaceOpener {
    Key<Boolean> enabledKey();

    /** What it answers with POST. */
    List<String> paths();

    /** Paths below which it answers every method, such as {@code /entity/v1}. */
    default List<String> trees() {
        return List.of();
    }

    /**
     * Opens it.
     *
     * @param directory for files of its own
     * @param views what the other faces show
     * @param token the credential of commands on this machine
     */
    HttpFace open(
            Configuration configuration,
            RunningStore engine,
            Path directory,
            Supplier<List<TableView>> views,
            AdminToken token);
}
