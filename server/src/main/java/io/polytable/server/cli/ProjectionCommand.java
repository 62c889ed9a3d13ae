package io.polytable.server.cli;

import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.RefusedException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable projection rebuild|status}: the readable tables in Fluss of a running server. */
@Command(name = "projection", description = "Rebuilds the readable tables in Fluss, or prints their progress.")
final class ProjectionCommand implements Callable<Integer> {
    private static final long LOOK_EVERY_MILLIS = 500;

    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        Words.Split split = words.split(List.of("rebuild or status"));
        String action = split.arguments().get(0);
        // The tables belong to the owner of the log, which is a server.
        RunningServer server = RunningServer.require(split.settings().home());
        switch (action) {
            case "rebuild" -> {
                server.post(AdminPaths.PROJECTION_REBUILD, Map.of()).orThrow();
                awaitRebuilt(server);
            }
            case "status" ->
                say(server.post(AdminPaths.PROJECTION, Map.of()).orThrow().text());
            default -> throw new RefusedException("projection takes rebuild or status, not " + action);
        }
        return ExitCode.DONE;
    }

    private void awaitRebuilt(RunningServer server) throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        String line = server.post(AdminPaths.PROJECTION, Map.of()).orThrow().text();
        while (line.startsWith("rebuilding")) {
            err.print("\r" + line);
            err.flush();
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            line = server.post(AdminPaths.PROJECTION, Map.of()).orThrow().text();
        }
        err.println();
        say("Rebuilt; " + line);
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
    }
}
