package io.polytable.server.cli;

import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.RefusedException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable stop}: stops the server of the data directory, and returns when its process has ended. */
@Command(name = "stop", description = "Stops the running server and waits until its process has ended.")
final class StopCommand implements Callable<Integer> {
    /** Longer than the server allows itself. */
    private static final long SECONDS_MAX = 90;

    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        RunningServer server = RunningServer.require(words.settings().home());
        server.post(AdminPaths.STOP, Map.of()).orThrow();
        try {
            ProcessHandle process = ProcessHandle.of(server.pid()).orElse(null);
            if (process != null) {
                process.onExit().get(SECONDS_MAX, TimeUnit.SECONDS);
            }
        } catch (TimeoutException running) {
            throw new RefusedException(
                    "Process " + server.pid() + " has not ended within " + SECONDS_MAX + " seconds", running);
        }
        spec.commandLine().getOut().println("Stopped process " + server.pid());
        return ExitCode.DONE;
    }
}
