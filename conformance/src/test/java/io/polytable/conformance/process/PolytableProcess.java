package io.polytable.conformance.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Our server in a JVM of its own, with the class path of the tests; it can be killed and restarted on its data. */
public final class PolytableProcess implements RespServer {
    private static final int TOOL_SECONDS_MAX = 120;
    private static final List<String> QUICK_FLAGS = List.of("-Xmx768m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final Pattern LAUNCHER_FLAGS = Pattern.compile("server_flags=\\((.*?)\\)", Pattern.DOTALL);
    private static final Pattern READY = Pattern.compile("polytable ready .*?redis=(\\d+)");

    private final Path directory;
    private final List<String> javaFlags;
    private final List<String> options;
    private ChildProcess child;
    private int port;

    private PolytableProcess(Path directory, List<String> javaFlags, List<String> options) {
        this.directory = directory;
        this.javaFlags = javaFlags;
        this.options = options;
        this.child = launch(0);
        this.port = awaitReady();
    }

    /**
     * Starts a server on the directory's data; options are spelled as on the command line. It compiles lightly and
     * collects with one thread: many such servers live shortly, and nothing here measures them.
     */
    public static PolytableProcess start(Path directory, String... options) {
        return new PolytableProcess(directory, QUICK_FLAGS, List.of(options));
    }

    /** Starts a server as the launcher does, with its flags and a heap of this size. */
    public static PolytableProcess startWithHeap(Path directory, String heap, String... options) {
        List<String> flags = new ArrayList<>(launcherFlags());
        flags.add("-Xmx" + heap);
        return new PolytableProcess(directory, flags, List.of(options));
    }

    private static List<String> launcherFlags() {
        Path launcher = Path.of(System.getProperty("polytable.root", ".."), "polytable");
        try {
            Matcher flags = LAUNCHER_FLAGS.matcher(Files.readString(launcher));
            if (!flags.find()) {
                throw new AssertionError("The launcher names no flags for a server");
            }
            return List.of(flags.group(1).trim().split("\\s+"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL in the middle of whatever it does. */
    public void kill() {
        child.kill();
    }

    /** Also after {@link #kill()}. */
    @Override
    public void restart() {
        child.stop();
        child = launch(port);
        port = awaitReady();
    }

    /** SIGTERM, and the wait for its end. */
    public void stop() {
        child.stop();
    }

    /** Runs the offline check over the data of the stopped server; a finding fails with what it printed. */
    public void check() {
        List<String> words = new ArrayList<>(options);
        words.add("--data.dir=" + dataDirectory());
        ChildProcess check = ChildProcess.start(command("check", words), directory);
        int code = check.awaitExit(TOOL_SECONDS_MAX);
        if (code != 0) {
            throw new AssertionError("check ended with " + code + ": " + check.lastOutput());
        }
    }

    private ChildProcess launch(int wantedPort) {
        List<String> words = new ArrayList<>();
        words.add("--data.dir=" + dataDirectory());
        words.add("--redis.port=" + wantedPort);
        words.add("--hbase.enabled=false");
        words.add("--http.port=0");
        // As a Redis, where a user's password does not make the default user need one.
        words.add("--auth.loopback=trust");
        words.addAll(options);
        return ChildProcess.start(command("serve", words), directory);
    }

    private int awaitReady() {
        ChildProcess starting = child;
        boolean ready = starting.await(() -> READY.matcher(starting.output()).find());
        Matcher line = READY.matcher(starting.output());
        if (!ready || !line.find()) {
            starting.stop();
            throw new AssertionError("The server did not become ready: " + starting.lastOutput());
        }
        return Integer.parseInt(line.group(1));
    }

    private List<String> command(String tool, List<String> words) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(javaFlags);
        command.addAll(List.of("-cp", classPath()));
        command.addAll(List.of("io.polytable.server.Main", tool));
        command.addAll(words);
        return command;
    }

    /** The class path of the tests without the tests: their settings are not the server's. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Path dataDirectory() {
        return directory.resolve("data");
    }

    /** What the running server has printed so far. */
    public String output() {
        return child.output();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void close() {
        child.stop();
    }
}
