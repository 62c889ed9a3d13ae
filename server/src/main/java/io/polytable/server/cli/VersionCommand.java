package io.polytable.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable version}. */
@Command(name = "version", description = "Prints the version, and the Java it runs on.")
final class VersionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .println("polytable " + Version.text() + " (Java "
                        + Runtime.version().feature() + ", " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch") + ")");
        return ExitCode.DONE;
    }
}
