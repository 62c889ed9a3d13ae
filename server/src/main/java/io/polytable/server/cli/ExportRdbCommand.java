package io.polytable.server.cli;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable export-rdb FILE}: exports all keys as an RDB file, also while the server runs. */
@Command(
        name = "export-rdb",
        description = "Exports all keys as a file that redis-server 7.0 and later load, online or offline.")
final class ExportRdbCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Parts parts;

    ExportRdbCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("FILE"));
        Settings settings = split.settings();
        Path file = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        return new RdbRun(parts, spec)
                .run(
                        DataDirectory.holdExisting(settings.home()),
                        settings,
                        (rdb, directory, progress) -> rdb.exportTo(file, progress),
                        AdminPaths.RDB_EXPORT,
                        Map.of(AdminPaths.FILE, file.toString()));
    }
}
