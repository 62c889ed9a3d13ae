package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import java.nio.file.Path;

/** Opens the engine over its directory, and fills a directory from a backup. */
public interface EngineOpener {
    /** With recovery where one is due. */
    Engine open(Path directory, Configuration configuration);

    /** The directory must hold nothing yet. */
    void restore(Path backup, Path directory);
}
