package io.polytable.server.assembly;

import io.polytable.server.config.Configuration;
import io.polytable.server.run.Engine;
import io.polytable.server.run.EngineOpener;
import io.polytable.store.Backup;
import io.polytable.store.EmbeddedStore;
import java.nio.file.Path;

/** Opens the embedded store. */
final class StoreOpener implements EngineOpener {
    @Override
    public Engine open(Path directory, Configuration configuration) {
        return new StoreEngine(
                EmbeddedStore.open(directory, StoreOptions.engine(configuration), StoreOptions.log(configuration)));
    }

    @Override
    public void restore(Path backup, Path directory) {
        Backup.restore(backup, directory);
    }
}
