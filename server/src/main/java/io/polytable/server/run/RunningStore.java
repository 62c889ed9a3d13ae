package io.polytable.server.run;

import io.polytable.frontend.Findings;
import io.polytable.frontend.metric.MetricSource;
import io.polytable.store.Backup;
import io.polytable.table.TableStore;
import java.util.List;
import java.util.Optional;

/** An open store, with operations beyond the contract. */
public interface RunningStore extends MetricSource, AutoCloseable {
    TableStore store();

    /** The failure after which nothing can be read or written, if there is one; only reopening helps. */
    Optional<String> failure();

    /**
     * Why writes are refused now while reads continue, if they are: for example a full disk. The store accepts writes
     * again without a restart.
     */
    Optional<String> writeRefusal();

    /** The tables that are read-only because files of them are damaged. */
    List<String> damagedTables();

    /**
     * Whether reopening in the same process recovers from a failure. A failed log on the local disk needs an operator
     * first.
     */
    boolean isHealedByReopening();

    /** The maintainer of projected tables. */
    ProjectionService projection();

    /** The memory that rows take, on the heap. */
    default long rowBytes() {
        return 0;
    }

    /** The memory that blocks of the state take, outside the heap. */
    default long blockBytes() {
        return 0;
    }

    /** Reads and verifies everything; changes nothing. */
    Findings check();

    /** A consistent copy, while commits continue. */
    Backup.Written backup(Backup.Request request);

    @Override
    void close();
}
