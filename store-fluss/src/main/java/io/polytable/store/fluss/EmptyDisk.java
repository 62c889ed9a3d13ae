package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.Recovery;
import io.polytable.store.StoreDirectory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Fills a data directory that has no state from the log's last checkpoint. */
final class EmptyDisk {
    private static final String DOWNLOAD = "checkpoint.tmp";

    private final StoreDirectory directory;
    private final FlussLog log;
    private final Checkpoint checkpoints;

    EmptyDisk(StoreDirectory directory, FlussLog log, Checkpoint checkpoints) {
        this.directory = directory;
        this.log = log;
        this.checkpoints = checkpoints;
    }

    void fill(Recovery.Progress progress) {
        Path download = directory.path().resolve(DOWNLOAD);
        if (Files.exists(download)) {
            forgetInterrupted(download);
        }
        if (!directory.isEmpty() || log.checkpoint() == 0) {
            return;
        }
        checkpoints.read(log.checkpoint(), download, progress);
        Backup.Contents unusedContents = Backup.restore(download, directory, (path, contents) -> {
            FlussLog unusedLog = FlussGroup.noted(log, path);
        });
        Checkpoint.delete(download);
    }

    /** While the download is there and the directory not marked as whole, all that is in it came from the download. */
    private void forgetInterrupted(Path download) {
        if (!directory.isMarked()) {
            directory.clear();
        }
        Checkpoint.delete(download);
    }
}
