package io.polytable.server.run;

import io.polytable.frontend.Frontend;
import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What single protocols do for operators: the files that rows name, RDB files, another number of shards. */
public interface FileTransfers {
    /** No protocol has files. */
    FileTransfers NONE = new FileTransfers() {};

    /** The files that rows of running frontends name. */
    default Optional<NamedFiles> files(List<Frontend> running) {
        return Optional.empty();
    }

    /**
     * The files that rows of the store name, for a store on which their frontend does not run.
     *
     * @param directory the data directory
     */
    default Optional<NamedFiles> files(TableStore store, Path directory) {
        return Optional.empty();
    }

    /** The directories inside the data directory where such files belong, by the name of their storage. */
    default Map<String, Path> fileBases(Path directory) {
        return Map.of();
    }

    /** Moves the keys of the running Redis frontend in and out as RDB files. The caller closes it. */
    default Optional<RdbTransfer> rdb(List<Frontend> running) {
        return Optional.empty();
    }

    /** As above, on a store that no other process uses. The caller closes it. */
    default Optional<RdbTransfer> rdb(TableStore store, Settings settings) {
        return Optional.empty();
    }

    /**
     * Distributes keys over another number of tables, and returns a sentence about it. No other process uses the store
     * meanwhile.
     *
     * @throws RefusedException when the keys cannot be moved
     */
    default Optional<String> reshard(TableStore store, Settings settings, int shards, Progress progress) {
        return Optional.empty();
    }
}
