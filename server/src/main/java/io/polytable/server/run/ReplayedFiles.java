package io.polytable.server.run;

import io.polytable.frontend.setting.Settings;
import io.polytable.store.backup.AttachedFile;
import io.polytable.store.backup.AttachedFile.Source;
import io.polytable.store.backup.Attachments;
import io.polytable.store.backup.VerifiedCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files that rows of a replayed log name. A backup has the files of its own time only; those that were written
 * later are copied from the data directory whose log was replayed, unless a compaction has deleted them since.
 */
public final class ReplayedFiles {
    private final DataDirectory restored;
    private final Path original;
    private final List<String> missing = new ArrayList<>();
    private int copied;

    /**
     * What was copied.
     *
     * @param missing a line for each file that is no longer there
     */
    public record Outcome(int copied, List<String> missing) {}

    private ReplayedFiles(DataDirectory restored, Path original) {
        this.restored = restored;
        this.original = original;
    }

    /** Opens the restored store, which applies its log, and copies the files that its rows name. */
    public static Outcome copy(Parts parts, DataDirectory restored, Path original, Settings settings) {
        ReplayedFiles files = new ReplayedFiles(restored, original);
        try (RunningStore engine = parts.engine().open(restored.store(), settings)) {
            Optional<NamedFiles> named = parts.transfers().files(engine.store(), restored.path());
            if (named.isPresent()) {
                try (NamedFiles each = named.get();
                        Attachments.Held held = each.attachments().capture(() -> {})) {
                    for (AttachedFile file : held.files()) {
                        files.add(file, each);
                    }
                }
            }
        }
        return new Outcome(files.copied, List.copyOf(files.missing));
    }

    /** The directory of the storage in which the file has the path. */
    private static Path base(Path file, String path) {
        Path base = file;
        for (int i = 0; i < Path.of(path).getNameCount(); i++) {
            base = base.resolveSibling("");
        }
        return base;
    }

    private void add(AttachedFile file, NamedFiles files) {
        if (!(file.source() instanceof Source.Local local) || Files.isRegularFile(local.file())) {
            return;
        }
        // Storages outside the data directory are those of the original.
        Path before = local.file().startsWith(restored.path())
                ? original.resolve(restored.path().relativize(local.file()))
                : local.file();
        Path deleted = files.deleted(base(before, file.path()), file.path());
        try {
            if (VerifiedCopy.attached(before, file, local.file())
                    || VerifiedCopy.attached(deleted, file, local.file())) {
                copied++;
            } else {
                missing.add("Missing: " + file.path() + " of storage " + file.storage());
            }
        } catch (IOException failure) {
            throw new RefusedException(
                    "Cannot copy a file of flushed rows to " + local.file() + ": " + failure, failure);
        }
    }
}
