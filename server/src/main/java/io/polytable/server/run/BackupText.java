package io.polytable.server.run;

import io.polytable.store.Backup;
import io.polytable.store.LogReplay;
import io.polytable.store.backup.BackupFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a backup or a restore did, in lines for an operator. */
public final class BackupText {
    private static final double MEGABYTE = 1 << 20;

    private BackupText() {}

    public static String written(Path data, Backup.Request request, Backup.Written written) {
        List<String> lines = new ArrayList<>();
        lines.add("Backed up " + data + " to " + request.target());
        lines.add(written.files() + " files (" + megabytes(written.bytes()) + "), " + written.attached()
                + " of them files of storages");
        request.previous()
                .ifPresent(previous -> lines.add(written.shared() + " files (" + megabytes(written.sharedBytes())
                        + ") are shared with " + previous));
        remotes(written.remotes())
                .forEach((storage, count) -> lines.add(count + " files of storage " + storage
                        + " are listed but not copied: they stay in the object storage"));
        lines.addAll(written.problems());
        return String.join("\n", lines);
    }

    public static String restored(Path backup, Path data, Backup.Restored restored) {
        List<String> lines = new ArrayList<>();
        lines.add("Restored " + backup + " to " + data);
        if (restored.isListed()) {
            lines.add("All checksums are correct; " + restored.attached() + " files of storages are in place");
        } else {
            lines.add("The backup was written by an older version: it has no checksums, and no files of storages."
                    + " polytable check lists the files that are missing");
        }
        remotes(restored.remotes())
                .forEach((storage, count) -> lines.add(count + " files of storage " + storage
                        + " are in the object storage; polytable check verifies" + " that they are there"));
        return String.join("\n", lines);
    }

    public static String replayed(List<LogReplay.Reached> partitions, ReplayedFiles.Outcome files) {
        List<String> lines = new ArrayList<>();
        for (LogReplay.Reached reached : partitions) {
            StringBuilder line = new StringBuilder("Replayed ")
                    .append(reached.records())
                    .append(" commits, up to position ")
                    .append(reached.position());
            reached.millis().ifPresent(millis -> line.append(" of ").append(Instant.ofEpochMilli(millis)));
            lines.add(line.toString());
        }
        lines.add(files.copied() + " files of flushed rows were copied from the original data directory");
        lines.addAll(files.missing());
        if (!files.missing().isEmpty()) {
            lines.add("Rows in missing files are lost: choose a time before they were replaced, or a later backup");
        }
        return String.join("\n", lines);
    }

    private static Map<String, Long> remotes(List<BackupFiles.Remote> remotes) {
        return remotes.stream()
                .collect(Collectors.groupingBy(BackupFiles.Remote::storage, TreeMap::new, Collectors.counting()));
    }

    private static String megabytes(long bytes) {
        return String.format("%.1f MB", bytes / MEGABYTE);
    }
}
