package io.polytable.server;

import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.Engine;
import io.polytable.server.run.Findings;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import java.nio.file.Path;
import java.util.List;

/** Which engine and which faces this server is made of. */
final class Assembly {
    private Assembly() {}

    static Parts parts() {
        return new Parts((directory, configuration) -> new NothingStored(), List.of());
    }

    /** Stands where the engine will. */
    private static final class NothingStored implements Engine {
        @Override
        public Findings check() {
            return new Findings("Nothing is stored", List.of());
        }

        @Override
        public void backup(Path target) {
            throw new RefusedException("Nothing is stored that could be backed up");
        }

        @Override
        public void sample(MetricSink sink) {}

        @Override
        public void close() {}
    }
}
