package io.polytable.server.run;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.util.Optional;

/** Opens, checks and repairs one frontend. */
public interface FaceOpener {
    Setting<Boolean> enabledKey();

    Setting<Integer> portKey();

    /** The key of a listener's port, for a frontend that has several. */
    default Setting<Integer> portKey(String listener) {
        return portKey();
    }

    /**
     * Opens the frontend; it accepts connections when this returns. Throws {@link
     * io.polytable.frontend.net.CannotListenException} if it cannot listen.
     *
     * @param memory its shares of the heap
     * @param users the users of all protocols
     * @param network the event loops that protocols share
     * @param sessions the registry of the sessions of all protocols
     * @param stop requests a stop of the whole server, for clients with that permission
     */
    Face open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Users users,
            Network network,
            Sessions sessions,
            Runnable stop)
            throws IOException;

    /** Verifies that this frontend's rows are consistent with each other; changes nothing. */
    Findings check(TableStore store, Settings settings);

    /**
     * Repairs what {@link #check} finds, as far as it can be derived from intact rows, and returns the remaining
     * findings. No other process uses the store meanwhile.
     *
     * @param progress receives how much is done, of how much
     */
    Findings repair(TableStore store, Settings settings, RepairProgress progress);

    /**
     * Moves its keys in and out as RDB files, if it is the Redis protocol, on a store that no other process uses. The
     * caller closes it.
     */
    default Optional<RdbTransfer> rdb(TableStore store, Settings settings) {
        return Optional.empty();
    }

    /**
     * Distributes its keys over another number of tables, if it has shards, and returns a sentence about it. No other
     * process uses the store meanwhile.
     *
     * @throws RefusedException when the keys cannot be moved
     */
    default Optional<String> reshard(TableStore store, Settings settings, int shards, RepairProgress progress) {
        return Optional.empty();
    }

    /** Receives the progress of a repair. */
    @FunctionalInterface
    interface RepairProgress {
        void at(long done, long total);
    }
}
