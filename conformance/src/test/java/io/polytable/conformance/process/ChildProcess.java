package io.polytable.conformance.process;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One child process whose output goes to a file, so that it can never block on a full pipe. */
final class ChildProcess {
    private static final int STOP_SECONDS_MAX = 20;
    private static final int SHOWN_CHARS_MAX = 4_000;

    private final Process process;
    private final Path output;

    private ChildProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static ChildProcess start(List<String> command, Path directory) {
        try {
            Files.createDirectories(directory);
            Path output = Files.createTempFile(directory, "output-", ".log");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            Process process = builder.start();
            // A build that is interrupted must not leave servers behind.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new ChildProcess(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start " + command.get(0), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("No output of process " + pid(), e);
        }
    }

    /** The end of the output, for a failure's text. */
    String lastOutput() {
        String all = output();
        return all.substring(Math.max(0, all.length() - SHOWN_CHARS_MAX));
    }

    /** Waits until the condition holds; false when the process ended first. */
    boolean await(BooleanSupplier condition) {
        Await.until(
                () -> "process " + pid() + " is ready: " + lastOutput(), () -> condition.getAsBoolean() || !isAlive());
        return condition.getAsBoolean();
    }

    /** Waits for the end and returns the exit code. */
    int awaitExit(int secondsMax) {
        if (!ended(secondsMax)) {
            kill();
            throw new AssertionError("Process " + pid() + " did not end in " + secondsMax + " s: " + lastOutput());
        }
        return process.exitValue();
    }

    /** SIGTERM, then SIGKILL if it does not end in time. */
    void stop() {
        process.destroy();
        if (!ended(STOP_SECONDS_MAX)) {
            kill();
        }
    }

    /** SIGKILL: no clean-up of any kind runs in the child. */
    void kill() {
        process.destroyForcibly();
        if (!ended(STOP_SECONDS_MAX)) {
            throw new AssertionError("Process " + pid() + " survives SIGKILL");
        }
    }

    private boolean ended(int secondsMax) {
        try {
            return process.waitFor(secondsMax, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
