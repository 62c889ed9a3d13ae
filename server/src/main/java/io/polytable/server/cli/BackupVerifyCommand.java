package io.polytable.server.cli;

import io.polytable.store.Backup;
import io.polytable.store.backup.BackupFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable backup verify BACKUP}: compares the files of a backup with its checksums. */
@Command(name = "verify", description = "Verifies the checksums of a backup: polytable backup verify BACKUP.")
final class BackupVerifyCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("BACKUP"));
        Path backup = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        Optional<BackupFiles> files = Backup.listed(backup);
        if (files.isEmpty()) {
            say(backup + " was written by an older version and has no checksums");
            return ExitCode.DONE;
        }
        List<String> problems = Backup.verify(backup);
        problems.forEach(this::say);
        say("Verified " + files.get().entries().size() + " files of " + backup + ", " + problems.size() + " damaged; "
                + files.get().remotes().size() + " files in object storages were not read");
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.DAMAGE_FOUND;
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
    }
}
