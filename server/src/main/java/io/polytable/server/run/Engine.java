package io.polytable.server.run;

import io.polytable.server.metrics.MetricSource;
import io.polytable.table.TableStore;
import java.nio.file.Path;

/** An open store, with what its keepers need beyond the contract. */
public interface Engine extends MetricSource, AutoCloseable {
    TableStore store();

    /** Reads everything and compares; changes nothing. */
    Findings check();

    /** A consistent copy, while commits go on. The target must not exist yet. */
    void backup(Path target);

    @Override
    void close();
}
