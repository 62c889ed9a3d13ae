package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.resp.RespConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More than a small heap can hold, with the launcher's flags, which end the process at the first OutOfMemoryError: every
 * request gets its reply, a refusal perhaps, and the server lives on and can be started again with the same heap.
 */
@Tag("crash")
class SmallHeapTest {
    private static final int MB = 1 << 20;
    private static final int[] VALUE_MEGABYTES = {64, 128, 200, 128, 64, 127};
    private static final int HASHES = 4_000_000;
    private static final int PIPELINE = 16;

    @Test
    void valuesOfHundredsOfMegabytesInAGigabyte(@TempDir Path directory) {
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "1g")) {
            for (int i = 0; i < VALUE_MEGABYTES.length; i++) {
                int length = VALUE_MEGABYTES[i] * MB;
                try (RespConnection client = RespConnection.open(server.port())) {
                    client.send("*3\r\n$3\r\nSET\r\n$2\r\nk" + i + "\r\n$" + length + "\r\n");
                    String answer = sendAll(client, length);
                    boolean fits = VALUE_MEGABYTES[i] <= 128;
                    assertThat(answer).as("%d MB", VALUE_MEGABYTES[i]).startsWith(fits ? "OK" : "ERR");
                }
            }
            verifyValues(server);
            server.kill();
            server.restart();
            verifyValues(server);
        }
    }

    /** The value's bytes, unless the server has said no meanwhile. */
    private static String sendAll(RespConnection client, int length) {
        String part = "v".repeat(MB);
        for (int sent = 0; sent < length; sent += MB) {
            client.send(part);
        }
        client.send("\r\n");
        return client.read().tree().text();
    }

    private static void verifyValues(PolytableProcess server) {
        try (RespConnection client = RespConnection.open(server.port())) {
            for (int i = 0; i < VALUE_MEGABYTES.length; i++) {
                long expected = VALUE_MEGABYTES[i] <= 128 ? (long) VALUE_MEGABYTES[i] * MB : 0;
                assertThat(client.call("STRLEN", "k" + i).tree().text()).isEqualTo(Long.toString(expected));
                assertThat(client.call("GETRANGE", "k" + i, "0", "2").tree().text())
                        .isEqualTo(expected > 0 ? "vvv" : "");
            }
        }
    }

    @Test
    void millionsOfSmallHashesInHalfAGigabyte(@TempDir Path directory) {
        Random random = new Random(10);
        try (PolytableProcess server = PolytableProcess.startWithHeap(directory, "512m");
                RespConnection client = RespConnection.open(server.port())) {
            List<List<String>> batch = new ArrayList<>();
            for (int i = 0; i < HASHES; i += PIPELINE) {
                batch.clear();
                for (int j = 0; j < PIPELINE; j++) {
                    batch.add(List.of("HSET", "h:" + random.nextInt(HASHES), "f", "v"));
                }
                assertThat(client.pipeline(batch))
                        .extracting(answer -> answer.tree().text())
                        .allMatch(text -> text.matches("[01]"));
            }
            assertThat(client.call("PING").tree().text()).isEqualTo("PONG");
        }
    }
}
