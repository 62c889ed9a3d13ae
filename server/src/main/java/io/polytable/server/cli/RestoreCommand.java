package io.polytable.server.cli;

import io.polytable.server.run.BackupText;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import io.polytable.store.Backup;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable restore BACKUP}: fills a data directory that holds no data yet. */
@Command(name = "restore", description = "Restores a backup into an empty data directory: polytable restore BACKUP.")
final class RestoreCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Parts parts;

    RestoreCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("BACKUP"));
        Path backup = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        Path path = split.settings().home();
        try (DataDirectory directory = DataDirectory.createAndHold(path)
                .orElseThrow(() -> new RefusedException(
                        "A process uses the data directory " + path + "; a restore needs one without data"))) {
            Backup.Restored restored =
                    parts.engine().restore(backup, directory.store(), parts.fileBases(directory.path()));
            spec.commandLine().getOut().println(BackupText.restored(backup, path, restored));
        }
        return ExitCode.DONE;
    }
}
