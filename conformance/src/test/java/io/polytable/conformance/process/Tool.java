package io.polytable.conformance.process;

import io.polytable.table.testkit.Program;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A program on the PATH that a test runs to its end. */
public final class Tool {
    private final Path binary;

    private Tool(Path binary) {
        this.binary = binary;
    }

    /** The program, or skips the calling test when it is not here; under continuous integration it must be. */
    public static Tool need(String name) {
        return new Tool(find(name).orElseThrow(() -> Program.absent(name + " is not on the PATH")));
    }

    private static Optional<Path> find(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory, name);
            if (Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Runs it in the directory and returns its output; fails with that output unless it succeeds. */
    public String run(Path directory, int secondsMax, String... words) {
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(List.of(words));
        ChildProcess child = ChildProcess.start(command, directory);
        int code = child.awaitExit(secondsMax);
        if (code != 0) {
            throw new AssertionError(command + " ended with " + code + ": " + child.lastOutput());
        }
        return child.output();
    }
}
