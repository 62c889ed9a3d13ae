package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import java.nio.file.Path;

/** Opens the engine over its directory, with recovery where one is due. */
@FunctionalInterface
public interface EngineOpener {
    Engine open(Path directory, Configuration configuration);
}
