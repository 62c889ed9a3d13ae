package io.polytable.conformance.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.Dice;
import io.polytable.conformance.process.BothServers;
import io.polytable.conformance.resp.RespConnection;
import io.polytable.conformance.resp.RespText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** On any input the server survives, and replies as the reference does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzTest {
    private static final int SEEDS = 600;
    private static final int SILENT_CONNECTIONS = 50;

    private BothServers servers;

    @BeforeAll
    void start(@TempDir Path directory) {
        servers = BothServers.start(directory);
        shareLimit();
    }

    /** How long a word may be follows from our heap; the reference is told the same, so that both refuse alike. */
    private void shareLimit() {
        String limit = "proto-max-bulk-len";
        try (RespConnection ours = servers.ours().connect();
                RespConnection theirs = servers.reference().connect()) {
            String bytes =
                    ours.call("CONFIG", "GET", limit).tree().items().get(1).text();
            assertThat(theirs.call("CONFIG", "SET", limit, bytes).bytes()).isEqualTo("+OK\r\n");
        }
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @Test
    void seededBytes() {
        fuzz(1, SEEDS);
    }

    @Test
    @Tag("peers")
    void manySeededBytes() {
        fuzz(100_000, SEEDS * 50L);
    }

    private void fuzz(long firstSeed, long seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            String bytes = HostileBytes.of(seed);
            Transcript given = Transcript.of(servers.ours(), bytes);
            // The reference looks for the end of a line with a function that stops at a zero byte, and then waits for
            // ever.
            if (bytes.indexOf('\0') < 0) {
                Transcript expected = Transcript.of(servers.reference(), bytes);
                assertThat(given)
                        .as("seed %d: %s", seed, RespText.quoted(bytes))
                        .isEqualTo(expected);
            }
            assertAlive();
        }
    }

    @Test
    void validCommandsSplitAnywhereAreAnsweredAsWhole() {
        String request =
                HostileBytes.good(new Dice(5)) + "PING\r\nECHO \"in line\"\r\n" + HostileBytes.good(new Dice(9));
        String expected = Transcript.of(servers.ours(), request).said();
        assertThat(expected).endsWith("+PONG\r\n");
        try (RespConnection between = servers.ours().connect()) {
            for (int at = 1; at < request.length(); at++) {
                assertThat(inPieces(between, List.of(request.substring(0, at), request.substring(at))))
                        .as("split at %d", at)
                        .isEqualTo(expected);
            }
            List<String> bytes =
                    request.chars().mapToObj(c -> String.valueOf((char) c)).toList();
            assertThat(inPieces(between, bytes)).as("byte by byte").isEqualTo(expected);
        }
    }

    private String inPieces(RespConnection between, List<String> pieces) {
        try (RespConnection connection = servers.ours().connect()) {
            for (String piece : pieces) {
                connection.send(piece);
                // A full turn of the server on another connection lets it meet the piece alone.
                between.call("PING");
            }
            connection.send(Transcript.PING);
            connection.finishSending();
            return Transcript.rest(connection).said();
        }
    }

    /** Announcing huge lengths costs the client nothing; it must not cost the server either. */
    @Test
    void promisesOfHugeCommandsReserveNothing() {
        List<RespConnection> open = new ArrayList<>();
        try {
            for (int i = 0; i < SILENT_CONNECTIONS; i++) {
                RespConnection connection = servers.ours().connect();
                open.add(connection);
                connection.send(i % 2 == 0 ? "*1048576\r\n$3\r\nDEL\r\n" : "*2\r\n$3\r\nGET\r\n$536870912\r\nabc");
            }
            assertAlive();
        } finally {
            open.forEach(RespConnection::close);
        }
        assertAlive();
    }

    @Test
    void clientsThatDoNotReadAreNoHarm() {
        try (RespConnection greedy = servers.ours().connect();
                RespConnection writer = servers.ours().connect()) {
            writer.call("SET", "big", "x".repeat(1 << 20));
            String gets = RespConnection.request(List.of("GET", "big")).repeat(60);
            greedy.send(gets);
            assertAlive();
        }
        assertAlive();
    }

    private void assertAlive() {
        try (RespConnection fresh = servers.ours().connect()) {
            assertThat(fresh.call("PING").bytes()).isEqualTo("+PONG\r\n");
        }
    }
}
