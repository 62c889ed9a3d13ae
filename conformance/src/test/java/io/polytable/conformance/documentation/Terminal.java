package io.polytable.conformance.documentation;

import io.polytable.table.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A shell in a directory with a {@code ./polytable} that runs the classes under test. {@code ./polytable serve} goes to
 * the background, on free ports; the default ports in other commands become those.
 */
final class Terminal implements AutoCloseable {
    private static final int COMMAND_SECONDS_MAX = 300;
    private static final Pattern PORTS = Pattern.compile("\\b(redis|hbase|hbase-master|zookeeper|http)=(\\d+)");
    private static final String REDIS_PROMPT = "127.0.0.1:6379> ";

    private final Path directory;
    private Optional<Process> server = Optional.empty();
    private Map<String, String> ports = Map.of();

    Terminal(Path directory) throws IOException {
        this.directory = directory;
        Path launcher = directory.resolve("polytable");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        Files.writeString(
                launcher,
                "#!/bin/sh\nexec '" + java
                        + "' -Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --add-opens=java.base/java.nio=ALL-UNNAMED -cp '"
                        + classPath + "' io.polytable.server.Main \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    /** What the command prints. */
    String run(CommandBlock.Step step) throws IOException, InterruptedException {
        String command = step.command();
        if (command.equals("./polytable serve")) {
            return masked(serve());
        }
        if (command.equals("redis-cli")) {
            return redis(step.output());
        }
        String printed = shell(command, "");
        if (command.startsWith("kill ")) {
            server.orElseThrow().waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS);
        }
        return masked(printed);
    }

    /** The documented output of a step as it is to be compared. */
    static CommandBlock.Step comparable(CommandBlock.Step step) {
        List<String> output = step.output();
        if (step.command().equals("redis-cli")) {
            output = output.stream()
                    .filter(line -> !line.startsWith(REDIS_PROMPT))
                    .toList();
        }
        return new CommandBlock.Step(
                step.command(), output.stream().map(Terminal::masked).toList());
    }

    /** Starts a server unless one runs. */
    void ensureServer() throws IOException {
        if (server.filter(Process::isAlive).isEmpty()) {
            serve();
        }
    }

    private String serve() throws IOException {
        Path output = Files.createTempFile(directory, "serve-", ".log");
        ProcessBuilder builder =
                builder("./polytable serve").redirectErrorStream(true).redirectOutput(output.toFile());
        for (String port : List.of("REDIS", "HBASE", "HBASE_MASTER", "ZOOKEEPER", "HTTP")) {
            builder.environment().put(port + "_PORT", "0");
        }
        Process started = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        server = Optional.of(started);
        Await.until(
                "the server is ready",
                () -> Files.readString(output).contains("polytable ready ") || !started.isAlive());
        String ready = Files.readString(output);
        ports = PORTS.matcher(ready).results().collect(Collectors.toMap(port -> port.group(1), port -> port.group(2)));
        return ready;
    }

    private String redis(List<String> session) throws IOException, InterruptedException {
        String input = session.stream()
                .filter(line -> line.startsWith(REDIS_PROMPT))
                .map(line -> line.substring(REDIS_PROMPT.length()) + "\n")
                .collect(Collectors.joining());
        String replies = shell("redis-cli --no-raw -p " + ports.get("redis"), input);
        return replies.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n"));
    }

    private String shell(String command, String input) throws IOException, InterruptedException {
        Path typed = Files.writeString(Files.createTempFile(directory, "input-", ".txt"), input);
        Path output = Files.createTempFile(directory, "output-", ".txt");
        String here = command.replace("localhost:8080", "localhost:" + ports.get("http"))
                .replace("redis-cli ", "redis-cli -p " + ports.get("redis") + " ")
                .replace("polytable:///data", "polytable://" + directory + "/data");
        Process process = builder(here)
                .redirectInput(typed.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("Does not end: " + command);
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    private ProcessBuilder builder(String command) {
        List<String> words = new ArrayList<>(List.of("bash", "-c", command));
        return new ProcessBuilder(words).directory(directory.toFile());
    }

    private static String masked(String text) {
        return PORTS.matcher(text).replaceAll(port -> Matcher.quoteReplacement(port.group(1) + "=PORT"));
    }

    @Override
    public void close() {
        server.ifPresent(running -> {
            running.destroy();
            Await.until("the server has ended", () -> !running.isAlive());
        });
    }
}
