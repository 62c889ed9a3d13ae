package io.polytable.server.cli;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RdbTransfer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable import-rdb FILE}: imports the keys of an RDB file, also while the server runs. */
@Command(
        name = "import-rdb",
        description = {
            "Imports the keys of a Redis RDB file, online or offline: polytable import-rdb FILE.",
            "Keys of the same name are replaced. After an interruption the next run continues."
        })
final class ImportRdbCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--skip-functions", description = "Leaves libraries of functions out.")
    private boolean skipsFunctions;

    @Option(names = "--restart", description = "Begins again, even if an earlier import was interrupted.")
    private boolean restarts;

    private final Parts parts;

    ImportRdbCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("FILE"));
        Settings settings = split.settings();
        Path file = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        RdbTransfer.ImportOptions options = new RdbTransfer.ImportOptions(skipsFunctions, restarts);
        return new RdbRun(parts, spec)
                .run(
                        DataDirectory.createAndHold(settings.home()),
                        settings,
                        (rdb, directory, progress) ->
                                rdb.importFrom(file, RdbTransfer.notes(directory), options, progress),
                        AdminPaths.RDB_IMPORT,
                        Map.of(
                                AdminPaths.FILE,
                                file.toString(),
                                AdminPaths.SKIP_FUNCTIONS,
                                Boolean.toString(skipsFunctions),
                                AdminPaths.RESTART,
                                Boolean.toString(restarts)));
    }
}
