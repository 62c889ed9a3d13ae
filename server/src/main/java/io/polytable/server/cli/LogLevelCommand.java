package io.polytable.server.cli;

import io.polytable.server.http.AdminPaths;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable log-level LEVELS}: changes how much a running server logs, until it stops. */
@Command(
        name = "log-level",
        description = "Changes how much the running server logs, for example warn,io.polytable.sql=debug.")
final class LogLevelCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("LEVELS"));
        RunningServer server = RunningServer.require(split.settings().home());
        Map<String, String> level = Map.of(AdminPaths.LEVEL, split.arguments().get(0));
        spec.commandLine()
                .getOut()
                .println(server.post(AdminPaths.LOG_LEVEL, level).orThrow().text());
        return ExitCode.DONE;
    }
}
