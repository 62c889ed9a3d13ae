package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import io.polytable.table.TableStore;
import java.io.IOException;

/** One face: how it is switched on and opened, and who looks after its rows. */
public interface FaceOpener {
    Key<Boolean> enabledKey();

    Key<Integer> portKey();

    /** The key of the port that could not be had, of a face that listens on several. */
    default Key<Integer> portKey(IOException failure) {
        return portKey();
    }

    /**
     * Accepts connections when this returns. Throws what the operating system says where it cannot listen.
     *
     * @param stop asks the whole server to stop, for clients that may
     */
    Face open(Configuration configuration, RunningStore engine, Runnable stop) throws IOException;

    /** Verifies that this face's rows are consistent with each other; changes nothing. */
    Findings check(TableStore store, Configuration configuration);

    /**
     * Mends what {@link #check} finds, as far as what is left tells how, and answers what it still finds afterwards.
     * Nobody else uses the store meanwhile.
     *
     * @param progress told how much is done, of how much
     */
    Findings repair(TableStore store, Configuration configuration, RepairProgress progress);

    /** How far a repair is. */
    @FunctionalInterface
    interface RepairProgress {
        void at(long done, long total);
    }
}
