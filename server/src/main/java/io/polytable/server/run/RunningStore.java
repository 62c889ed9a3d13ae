package io.polytable.server.run;

import io.polytable.server.metrics.MetricSource;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.Optional;

/** An open store, with what its keepers need beyond the contract. */
public interface RunningStore extends MetricSource, AutoCloseable {
    TableStore store();

    /** Why nothing can be read or written any more, where that is so; only a new start helps then. */
    Optional<String> failure();

    /**
     * Whether opening it again, in the same process, makes it whole after a failure. A log on the local disk that failed
     * wants a look by somebody first.
     */
    boolean isHealedByReopening();

    /** Who keeps tables elsewhere that show what is in the store. */
    ProjectionKeeper projection();

    /** Reads everything and compares; changes nothing. */
    Findings check();

    /** Mends what {@link #check()} finds where it can; answers what it did, if it did something. */
    Optional<String> repair();

    /** A consistent copy, while commits go on. The target must not exist yet. */
    void backup(Path target);

    @Override
    void close();
}
