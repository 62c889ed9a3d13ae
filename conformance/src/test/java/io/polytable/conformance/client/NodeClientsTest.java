package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two most common clients of Node.js, and programs built on them: queues, locks, rate limits. Skipped without node, or without npm to fetch them. */
@OnSharedServers
class NodeClientsTest {
    private static final Path SCRIPTS =
            Path.of(System.getProperty("polytable.root", ".."), "conformance", "src", "test", "node");
    private static final int INSTALL_SECONDS_MAX = 180;
    private static final int RUN_SECONDS_MAX = 60;

    private Path directory;
    private Tool node;
    private RespServer server;

    @BeforeAll
    void install(@TempDir Path temporary, SharedServers servers) throws IOException {
        node = Tool.need("node");
        Tool npm = Tool.need("npm");
        directory = temporary.resolve("node");
        Files.createDirectories(directory);
        for (String name : List.of(
                "package.json",
                "package-lock.json",
                ".npmrc",
                "ioredis.mjs",
                "node-redis.mjs",
                "bull.mjs",
                "bullmq.mjs")) {
            Files.copy(SCRIPTS.resolve(name), directory.resolve(name));
        }
        npm.run(directory, INSTALL_SECONDS_MAX, "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        server = servers.of(Target.POLYTABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ioredis", "node-redis", "bull", "bullmq"})
    void worksAsWithRedis(String program) {
        String output = node.run(directory, RUN_SECONDS_MAX, program + ".mjs", Integer.toString(server.port()));
        assertThat(output).contains(program + ": all is well");
    }
}
