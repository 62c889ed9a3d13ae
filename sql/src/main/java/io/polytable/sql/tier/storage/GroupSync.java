package io.polytable.sql.tier.storage;

import io.polytable.frontend.work.Together;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Syncs many files or directories in parallel. A journaling file system commits its journal once for all concurrent
 * syncs, so a thousand small files take a tenth of the time of one after the other.
 */
final class GroupSync {
    private static final int THREADS = 8;

    private GroupSync() {}

    /**
     * Returns when all are synced, even if it is interrupted: a file that is still being synced must not count as durable.
     * Skips files that were deleted meanwhile.
     */
    static void all(Collection<Path> paths) throws IOException {
        List<Callable<Path>> tasks = new ArrayList<>();
        paths.forEach(path -> tasks.add(() -> {
            sync(path);
            return path;
        }));
        for (Together.Outcome<Path> outcome : Together.run("sql-file-sync", THREADS, tasks)) {
            if (outcome.failure().isPresent()) {
                Throwable failed = outcome.failure().get();
                throw new IOException("A file was not synced: " + failed.getMessage(), failed);
            }
        }
    }

    static void sync(Path path) throws IOException {
        boolean directory = Files.isDirectory(path);
        try (FileChannel channel =
                FileChannel.open(path, directory ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (NoSuchFileException removed) {
            // The file was deleted: there is nothing to sync.
            return;
        }
    }
}
