package io.polytable.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The real main class in a process of its own. */
final class ServerProcess implements AutoCloseable {
    private static final long SECONDS_MAX = 60;

    private final Process process;
    private final BufferedReader out;

    private ServerProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    static ServerProcess start(Map<String, String> environment, String... words) throws IOException {
        return start(List.of("-XX:+UseSerialGC", "-Xmx128m"), environment, words);
    }

    /** With the launcher's flags that matter for memory. */
    static ServerProcess startWithHeap(String heap, String... words) throws IOException {
        List<String> flags =
                List.of("-XX:+UseG1GC", "-XX:G1HeapRegionSize=1m", "-XX:+ExitOnOutOfMemoryError", "-Xmx" + heap);
        return start(flags, Map.of(), words);
    }

    private static ServerProcess start(List<String> flags, Map<String, String> environment, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.polytable.server.Main"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start());
    }

    /** The output of a process that ended by itself. */
    record Ended(int code, String out, String err) {}

    Ended end() throws IOException, InterruptedException {
        // Both are far below a pipe's capacity, so reading one after the other cannot block the process.
        String said = String.join("\n", out.lines().toList());
        String complained = String.join(
                "\n", process.errorReader(StandardCharsets.UTF_8).lines().toList());
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The process does not stop");
        }
        return new Ended(process.exitValue(), said, complained);
    }

    /** The line that says that all frontends accept connections. */
    String readyLine() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IllegalStateException("No ready line: "
                    + process.errorReader(StandardCharsets.UTF_8).lines().toList());
        }
        return line;
    }

    static int port(String face, String readyLine) {
        Matcher matcher = Pattern.compile(" " + face + "=([0-9]+) ").matcher(readyLine);
        if (!matcher.find()) {
            throw new IllegalStateException(readyLine);
        }
        return Integer.parseInt(matcher.group(1));
    }

    long pid() {
        return process.pid();
    }

    /** SIGTERM, by the handle: the process itself would also close the streams that are still to be read. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Sends a signal by its name. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /** Whether it inherited that SIGHUP is ignored, from nohup for example. */
    boolean ignoresHangUp() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Character.digit(line.charAt(line.length() - 1), 16) & 1) != 0);
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
