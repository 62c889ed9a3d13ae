package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The start script in an unpacked release, with a Java that only prints what it is called with. */
@Timeout(60)
class StartScriptTest {
    private static final String AUTO = "-XX:MaxRAMPercentage=25";

    @TempDir
    private Path directory;

    private record Outcome(int code, List<String> out, String err) {}

    @BeforeEach
    void unpack() throws IOException {
        Path script = Path.of(System.getProperty("polytable.root", ".."), "polytable");
        Files.copy(script, directory.resolve("polytable"), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(directory.resolve("lib"));
        Files.createDirectories(directory.resolve("jdk/bin"));
        Path java = directory.resolve("jdk/bin/java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    @Test
    void runsTheMainClassOfItsOwnDirectory() throws IOException, InterruptedException {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("polytable"));
        Outcome outcome = run("link", Map.of(), "config", "a b", "--x=*");
        assertThat(outcome.out())
                .endsWith(
                        "-cp", directory.toRealPath() + "/lib/*", "io.polytable.server.Main", "config", "a b", "--x=*");
    }

    @ParameterizedTest
    @CsvSource({
        "512mb, -Xmx512m",
        "512m, -Xmx512m",
        "2gb, -Xmx2048m",
        "2 GiB, -Xmx2048m",
        "131072k, -Xmx128m",
        "134217728, -Xmx128m",
        "auto, " + AUTO,
        "1mb, " + AUTO,
        "lots, " + AUTO,
        "08g, -Xmx8192m"
    })
    void translatesTheHeap(String size, String flag) throws IOException, InterruptedException {
        assertThat(run("polytable", Map.of(), "serve", "--memory.heap=" + size).out())
                .contains(flag);
    }

    @Test
    void findsTheHeapWhereTheServerWould() throws IOException, InterruptedException {
        Path data = Files.createDirectory(directory.resolve("data"));
        String dataDir = "--data.dir=" + data;
        assertThat(run("polytable", Map.of(), "serve", dataDir).out()).contains(AUTO);
        Files.writeString(data.resolve("polytable.properties"), "# memory.heap=1gb\n memory.heap = 101mb\n");
        assertThat(run("polytable", Map.of(), "serve", dataDir).out()).contains("-Xmx101m");
        assertThat(run("polytable", Map.of("DATA_DIR", data.toString()), "serve")
                        .out())
                .contains("-Xmx101m");
        Path other = Files.writeString(directory.resolve("other"), "memory.heap: 102mb\n");
        assertThat(run("polytable", Map.of(), "serve", dataDir, "--config", other.toString())
                        .out())
                .contains("-Xmx102m");
        Map<String, String> environment = Map.of("MEMORY_HEAP", "103mb");
        assertThat(run("polytable", environment, "serve", dataDir).out()).contains("-Xmx103m");
        assertThat(run("polytable", environment, "serve", dataDir, "--memory.heap", "104mb")
                        .out())
                .contains("-Xmx104m");
    }

    @Test
    void operatorsCanAddFlags() throws IOException, InterruptedException {
        Map<String, String> environment = Map.of("POLYTABLE_JAVA_OPTS", "-Da=1 -Db=2");
        assertThat(run("polytable", environment, "version").out()).containsSubsequence("-Da=1", "-Db=2", "-cp");
    }

    @Test
    void anOlderJavaIsOneSentence() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"11.0.2\"\n");
        Outcome outcome = run("polytable", Map.of(), "version");
        assertThat(outcome.err())
                .isEqualTo("polytable: Java 17 or newer is needed, and " + directory + "/jdk/bin/java is 11\n");
        assertThat(outcome.code()).isEqualTo(1);
    }

    @Test
    void noJavaIsOneSentence() throws IOException, InterruptedException {
        Outcome outcome = run("polytable", Map.of("JAVA_HOME", "/nowhere"), "version");
        assertThat(outcome.err())
                .isEqualTo("polytable: Java 17 or newer is needed, and none was found (JAVA_HOME or PATH)\n");
        assertThat(outcome.code()).isEqualTo(1);
    }

    @Test
    void theFirstBuildShowsItsProgress() throws IOException, InterruptedException {
        Outcome outcome = runInCheckout("""
                echo '[INFO] Building Polytable: table 0.1.0            [2/7]'
                for i in $(seq 120); do echo "[INFO] Downloaded from somewhere: $i"; done
                echo '[INFO] Nothing to compile'
                mkdir -p server/target/polytable-1/polytable-1/lib
                touch server/target/polytable-1.tar.gz
                """);
        assertThat(outcome.err().lines().skip(1))
                .containsExactly(
                        "polytable: building Polytable: table 0.1.0 [2/7]",
                        "polytable: 50 files downloaded",
                        "polytable: 100 files downloaded");
        assertThat(outcome.out())
                .contains(directory.toRealPath() + "/server/target/polytable-1/polytable-1/lib/*", "version");
        assertThat(outcome.code()).isZero();
    }

    @Test
    void aBuildThatFailsSaysWhy() throws IOException, InterruptedException {
        Outcome outcome = runInCheckout("echo '[ERROR] no space left'; exit 1");
        assertThat(outcome.err().lines().skip(1))
                .containsExactly("[ERROR] no space left", "polytable: the build failed");
        assertThat(outcome.code()).isEqualTo(1);
    }

    /** With a Maven that does what the shell script says. */
    private Outcome runInCheckout(String maven) throws IOException, InterruptedException {
        Files.delete(directory.resolve("lib"));
        Path script = Files.createDirectory(directory.resolve("bin")).resolve("mvn");
        Files.writeString(script, "#!/bin/sh\n" + maven);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return run("polytable", Map.of("PATH", script.getParent() + ":" + System.getenv("PATH")), "version");
    }

    private Outcome run(String script, Map<String, String> more, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(directory.resolve(script).toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH",
                System.getenv("PATH"),
                "JAVA_HOME",
                directory.resolve("jdk").toString()));
        environment.putAll(more);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        List<String> out = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), out, err);
    }
}
