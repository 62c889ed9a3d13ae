package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.RespConnection;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more keys than a heap of 256 MB can hold, of three types, written beside reads and scans: every request gets its
 * reply within the connection's time limit, and nothing is lost, not even by {@code kill -9}.
 *
 * <p>{@code -Dpolytable.soak.keys=10000000} for the long run.
 */
@Tag("crash")
class SmallHeapSoakTest {
    private static final int KEYS = Integer.getInteger("polytable.soak.keys", 1_000_000);
    private static final int PIPELINE = 64;

    /** The interval between two checks of the whole server. */
    private static final int ROUNDS_BETWEEN_LOOKS = 4_000;

    /** A reply must come within the connection's time limit, also on a slow machine. */
    private static final int SCANNED_KEYS_MAX = 2_000_000;

    private static final int SAMPLES = 5_000;
    private static final long SEED = 256;
    private static final String NOTHING = "*0\r\n";

    private final Random random = new Random(SEED);

    @Test
    void millionsOfSmallKeysOfEachType(@TempDir Path directory) {
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "256m")) {
            run(server, client -> {
                write(client);
                verify(client);
            });
            server.kill();
            server.restart();
            run(server, this::verify);
        }
    }

    private static void run(PolytableProcess server, Consumer<RespConnection> work) {
        try (RespConnection client = RespConnection.open(server.port())) {
            work.accept(client);
        } catch (UncheckedIOException e) {
            throw new AssertionError("The server does not answer any more; it said " + server.output(), e);
        }
    }

    private void write(RespConnection client) {
        List<List<String>> commands = new ArrayList<>();
        int round = 0;
        for (int first = 0; first < KEYS; first += PIPELINE) {
            commands.clear();
            for (int key = first; key < Math.min(KEYS, first + PIPELINE); key++) {
                commands.add(write(key));
            }
            int written = commands.size();
            commands.add(read(random.nextInt(first + written)));
            List<Answer> answers = client.pipeline(commands);
            assertThat(answers.subList(0, written))
                    .extracting(answer -> answer.tree().text())
                    .allMatch(text -> text.equals("1") || text.equals("OK"));
            assertThat(answers.get(written).tree().text()).isNotEmpty();
            if (++round % ROUNDS_BETWEEN_LOOKS == 0) {
                look(client, first + written);
            }
        }
    }

    /** A scan of a part, and one of everything that matches nothing. */
    private void look(RespConnection client, int present) {
        assertThat(client.call("DBSIZE").tree().text()).isEqualTo(Integer.toString(present));
        assertThat(client.call("SCAN", "0", "COUNT", "1000").bytes()).contains("key:");
        if (present < SCANNED_KEYS_MAX) {
            assertThat(client.call("KEYS", "nomatch*").bytes()).isEqualTo(NOTHING);
        }
    }

    /** Samples first: after a start the keys are counted in the background, which can take longer than a reply may. */
    private void verify(RespConnection client) {
        for (int i = 0; i < SAMPLES; i++) {
            int key = random.nextInt(KEYS);
            assertThat(client.call(read(key)).tree().text()).as("key %d", key).isEqualTo(value(key));
        }
        if (KEYS <= SCANNED_KEYS_MAX) {
            assertThat(client.call("DBSIZE").tree().text()).isEqualTo(Integer.toString(KEYS));
        }
    }

    /** Scattered, so that neighbours in time are none in the key space. */
    private static String name(int key) {
        return "key:" + Long.toHexString(key * 0x9E3779B97F4A7C15L);
    }

    private static String value(int key) {
        return Integer.toString(key);
    }

    private static List<String> write(int key) {
        return switch (key % 3) {
            case 0 -> List.of("SET", name(key), value(key));
            case 1 -> List.of("HSET", name(key), "field", value(key));
            default -> List.of("ZADD", name(key), value(key), "member");
        };
    }

    private static List<String> read(int key) {
        return switch (key % 3) {
            case 0 -> List.of("GET", name(key));
            case 1 -> List.of("HGET", name(key), "field");
            default -> List.of("ZSCORE", name(key), "member");
        };
    }
}
