package io.polytable.server.cli;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.BackupText;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.NamedFiles;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Backup;
import io.polytable.store.backup.Attachments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable backup TARGET}: a consistent copy, also while the server runs. */
@Command(
        name = "backup",
        description = {
            "Copies the data to a new directory: polytable backup TARGET.",
            "polytable backup verify BACKUP verifies the checksums of a backup."
        })
final class BackupCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--incremental",
            paramLabel = "BACKUP",
            description = "An earlier backup: files that it has are shared with it instead of copied.")
    private @Nullable Path previous;

    private final Parts parts;

    BackupCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("TARGET"));
        Settings settings = split.settings();
        Path target = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        Path path = settings.home();
        Optional<DataDirectory> held = DataDirectory.holdExisting(path);
        Optional<Path> earlier =
                Optional.ofNullable(previous).map(each -> each.toAbsolutePath().normalize());
        String text = held.isPresent() ? atRest(held.get(), settings, target, earlier) : running(path, target, earlier);
        spec.commandLine().getOut().println(text);
        return ExitCode.DONE;
    }

    private static String running(Path path, Path target, Optional<Path> earlier) {
        Map<String, String> parameters = new TreeMap<>();
        parameters.put(AdminPaths.TARGET, target.toString());
        earlier.ifPresent(each -> parameters.put(AdminPaths.PREVIOUS, each.toString()));
        return RunningServer.of(path)
                .post(AdminPaths.BACKUP, parameters)
                .orThrow()
                .text();
    }

    private String atRest(DataDirectory directory, Settings settings, Path target, Optional<Path> earlier) {
        try (directory;
                RunningStore engine = parts.engine().open(directory.store(), settings)) {
            Optional<NamedFiles> files = parts.transfers().files(engine.store(), directory.path());
            try {
                Backup.Request request = new Backup.Request(
                        target, earlier, files.map(NamedFiles::attachments).orElse(Attachments.NONE));
                return BackupText.written(settings.home(), request, engine.backup(request));
            } finally {
                files.ifPresent(NamedFiles::close);
            }
        }
    }
}
