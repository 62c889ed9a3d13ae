package io.polytable.server.cli;

import io.polytable.server.http.AdminPaths;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable status}: whether a server runs on the data directory, its ports, process id and uptime. */
@Command(name = "status", description = "Prints whether a server runs, its ports, process id and uptime.")
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        RunningServer server = RunningServer.require(words.settings().home());
        spec.commandLine()
                .getOut()
                .println(server.post(AdminPaths.STATUS, Map.of()).orThrow().text());
        return ExitCode.DONE;
    }
}
