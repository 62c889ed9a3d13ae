package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.net.CannotListenException;
import io.polytable.redis.RedisFrontend;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisServerTest {
    private static final RedisOptions ANY_PORT =
            RedisOptions.defaults().withPort(0).withThreads(2);

    private final List<AutoCloseable> open = new ArrayList<>();

    private RedisFrontend start(RedisOptions options) {
        return keep(RedisFrontend.start(keep(new MemoryStore()), options));
    }

    private TestClient connect(RedisFrontend face) {
        return keep(new TestClient(face.port()));
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.add(0, resource);
        return resource;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void answersInBothProtocols() {
        TestClient client = connect(start(ANY_PORT));
        assertThat(client.call("PING")).isEqualTo("+PONG");
        assertThat(client.call("set", "k", "v")).isEqualTo("+OK");
        assertThat(client.call("get", "k")).isEqualTo("$1 v");
        assertThat(client.call("get", "none")).isEqualTo("$-1");
        assertThat(client.call("hello", "3")).startsWith("%7 $6 server $5 redis");
        assertThat(client.call("get", "none")).isEqualTo("_");
    }

    @Test
    void answersLinesTypedByHand() {
        TestClient client = connect(start(ANY_PORT));
        client.sendRaw("\r\nset a \"b\\x41\\n\"\r\nget a\r\n");
        assertThat(client.read(2)).containsExactly("+OK", "$3 bA\n");
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        TestClient client = connect(start(ANY_PORT));
        StringBuilder requests = new StringBuilder();
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            requests.append(TestClient.request("echo", "e" + i));
        }
        Thread sender = new Thread(() -> client.sendRaw(requests.toString()));
        sender.start();
        for (int i = 0; i < count; i++) {
            String expected = "e" + i;
            assertThat(client.read()).isEqualTo("$" + expected.length() + " " + expected);
        }
    }

    @Test
    void answersMoreThanOneBufferInOrder() {
        TestClient client = connect(start(ANY_PORT));
        StringBuilder requests = new StringBuilder();
        List<String> expected = new ArrayList<>();
        // Short ones, those that fill what replies are collected in, and long ones, in turns of different sizes.
        int[] lengths = {1, 900, 3, 20_000, 33_000, 5, 150_000, 2};
        for (int i = 0; i < 160; i++) {
            int length = lengths[(i * 5 + i / 8) % lengths.length];
            String value = Character.toString('a' + i % 26).repeat(length);
            requests.append(TestClient.request("echo", value));
            expected.add("$" + length + " " + value);
        }
        Thread sender = new Thread(() -> client.sendRaw(requests.toString()));
        sender.start();
        for (String reply : expected) {
            assertThat(client.read().equals(reply)).isTrue();
        }
    }

    @Test
    void turnsAwayWhoDoesNotFit() {
        RedisFrontend face = start(ANY_PORT.with("maxclients", "2"));
        TestClient first = connect(face);
        assertThat(first.call("ping")).isEqualTo("+PONG");
        TestClient second = connect(face);
        assertThat(second.call("ping")).isEqualTo("+PONG");
        TestClient third = connect(face);
        assertThat(third.read()).isEqualTo("-ERR max number of clients reached");
        assertThat(third.isClosedByServer()).isTrue();
        assertThat(first.call("ping")).isEqualTo("+PONG");
    }

    @Test
    void letsNobodyInWithoutThePassword() {
        RedisFrontend face = start(ANY_PORT.withPassword("secret"));
        TestClient client = connect(face);
        assertThat(client.call("get", "k")).isEqualTo("-NOAUTH Authentication required.");
        assertThat(client.call("auth", "wrong"))
                .isEqualTo("-WRONGPASS invalid username-password pair or user is disabled.");
        assertThat(client.call("hello", "3")).startsWith("-NOAUTH HELLO must be called");
        assertThat(client.call("auth", "secret")).isEqualTo("+OK");
        assertThat(client.call("get", "k")).isEqualTo("$-1");
        assertThat(client.call("reset")).isEqualTo("+RESET");
        assertThat(client.call("get", "k")).isEqualTo("-NOAUTH Authentication required.");
        assertThat(client.call("hello", "2", "auth", "default", "secret")).startsWith("*14 ");
    }

    @Test
    void limitsWhatStrangersMaySend() {
        RedisFrontend face = start(ANY_PORT.withPassword("secret"));
        TestClient words = connect(face);
        words.sendRaw("*11\r\n");
        assertThat(words.read()).isEqualTo("-ERR Protocol error: unauthenticated multibulk length");
        assertThat(words.isClosedByServer()).isTrue();
        TestClient bytes = connect(face);
        bytes.sendRaw("*2\r\n$16385\r\n");
        assertThat(bytes.read()).isEqualTo("-ERR Protocol error: unauthenticated bulk length");
    }

    @Test
    void saysWhichAddressIsTaken() {
        RedisFrontend face = start(ANY_PORT);
        RedisOptions same = ANY_PORT.withPort(face.port());
        MemoryStore other = keep(new MemoryStore());
        assertThatThrownBy(() -> RedisFrontend.start(other, same))
                .isInstanceOf(CannotListenException.class)
                .hasMessageContaining("127.0.0.1:" + face.port());
    }

    @Test
    void quitAnswersAndCloses() {
        TestClient client = connect(start(ANY_PORT));
        client.sendRaw(TestClient.request("quit") + TestClient.request("ping"));
        assertThat(client.read()).isEqualTo("+OK");
        assertThat(client.isClosedByServer()).isTrue();
    }
}
