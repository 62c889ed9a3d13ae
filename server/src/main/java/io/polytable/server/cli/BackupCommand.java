package io.polytable.server.cli;

import io.polytable.server.config.Configuration;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RunningStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable backup TARGET}: a consistent copy, also while the server runs. */
@Command(name = "backup", description = "Copies the data to a new directory: polytable backup TARGET.")
final class BackupCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Parts parts;

    BackupCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("TARGET"));
        Configuration configuration = split.configuration();
        Path target = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        Path path = configuration.dataDirectory();
        Optional<DataDirectory> held = DataDirectory.holdExisting(path);
        if (held.isPresent()) {
            backupAtRest(held.get(), configuration, target);
        } else {
            RunningServer.of(path)
                    .post(AdminPaths.BACKUP, Map.of(AdminPaths.TARGET, target.toString()))
                    .orThrow();
        }
        spec.commandLine().getOut().println("Backed up " + path + " to " + target);
        return ExitCode.DONE;
    }

    private void backupAtRest(DataDirectory directory, Configuration configuration, Path target) {
        try (directory;
                RunningStore engine = parts.engine().open(directory.store(), configuration)) {
            engine.backup(target);
        }
    }
}
