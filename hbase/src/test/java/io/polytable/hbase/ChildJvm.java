package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java program in a process of its own, with a class path of its own; its output goes to a file. */
final class ChildJvm implements AutoCloseable {
    private static final int END_SECONDS_MAX = 20;
    private static final int SHOWN_CHARS_MAX = 6_000;

    private final Process process;
    private final Path output;

    private ChildJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts {@code java}, with these words behind flags that make a short life quick. */
    static ChildJvm start(Path directory, String classPath, List<String> words) throws IOException {
        Files.createDirectories(directory);
        Path output = Files.createTempFile(directory, "output-", ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(
                List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        command.addAll(List.of("-Djava.io.tmpdir=" + directory, "-cp", classPath));
        command.addAll(words);
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        // A build that is stopped half-way leaves no process behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new ChildJvm(process, output);
    }

    /** The class path that a module of jars has written down. */
    static String jarsOf(String module) {
        Path root = Path.of(System.getProperty("polytable.root", ".."));
        try {
            return Files.readString(root.resolve(module).resolve("target/classpath"))
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException("The module " + module + " has not been built", e);
        }
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the text was printed. */
    void awaitOutput(String text) {
        Await.until(() -> "\"" + text + "\" is printed: " + lastOutput(), () -> {
            // Asked first: what a process prints before it ends is there when it has ended.
            boolean isRunning = process.isAlive();
            boolean isPrinted = output().contains(text);
            assertThat(isPrinted || isRunning).as(lastOutput()).isTrue();
            return isPrinted;
        });
    }

    /** Writes to its standard input, and ends that. */
    void type(String text) throws IOException {
        try (OutputStream in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Waits for its end, which must be a success; answers what it printed. */
    String awaitSuccess(int secondsMax) throws InterruptedException {
        if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
            kill();
            throw new AssertionError("Did not end in " + secondsMax + " s: " + lastOutput());
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("Ended with " + process.exitValue() + ": " + lastOutput());
        }
        return output();
    }

    private String lastOutput() {
        String all = output();
        return all.substring(Math.max(0, all.length() - SHOWN_CHARS_MAX));
    }

    /** SIGKILL: nothing in the process can do anything about it. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("Process " + process.pid() + " survives SIGKILL");
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException stopping) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
