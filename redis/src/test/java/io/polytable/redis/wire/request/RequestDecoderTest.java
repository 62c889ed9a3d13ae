package io.polytable.redis.wire.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.polytable.redis.wire.TestClient;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestDecoderTest {
    private static final int WORD_BYTES_MAX = 200_000;
    private static final int REQUEST_BYTES_MAX = 400_000;

    /** A friend with limits that a test can reach. */
    private record Limits(boolean authenticated) implements InputLimits {
        @Override
        public long wordBytesMax() {
            return WORD_BYTES_MAX;
        }

        @Override
        public long requestBytesMax() {
            return REQUEST_BYTES_MAX;
        }
    }

    private final RequestDecoder decoder = new RequestDecoder(new Limits(true));

    /** Every kind of request, one after the other, with what may stand between them. */
    private static final String CORPUS = "*1\r\n$4\r\nPING\r\n"
            + "PING\r\n"
            + "set key \"a \\x41\\n\" 'b\\'c'\n"
            + "\r\n"
            + "*0\r\n"
            + "*-1\r\n"
            + "*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\n\r\n\r\n\r\n"
            + "*2\r\n$4\r\nECHO\r\n$5\r\n*1\r\n$\r\n"
            + "   get   k  \r\n"
            + TestClient.request("mset", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5");

    private static final List<List<String>> WORDS = List.of(
            List.of("PING"),
            List.of("PING"),
            List.of("set", "key", "a A\n", "b'c"),
            List.of("SET", "", "\r\n\r\n"),
            List.of("ECHO", "*1\r\n$"),
            List.of("get", "k"),
            List.of("mset", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5"));

    private void feed(RequestDecoder to, String bytes) {
        to.feed(Unpooled.wrappedBuffer(bytes.getBytes(ISO_8859_1)));
    }

    private static List<String> words(RequestDecoder from) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < from.count(); i++) {
            Bytes word = from.words()[i];
            words.add(new String(word.array(), word.offset(), word.length(), ISO_8859_1));
        }
        return words;
    }

    private List<List<String>> decode(String... parts) {
        RequestDecoder fresh = new RequestDecoder(new Limits(true));
        List<List<String>> requests = new ArrayList<>();
        for (String part : parts) {
            feed(fresh, part);
            while (fresh.next()) {
                requests.add(words(fresh));
            }
        }
        assertThat(fresh.heldBytes()).isZero();
        return requests;
    }

    @Test
    void readsTheSameWhereverItIsSplit() {
        assertThat(decode(CORPUS)).isEqualTo(WORDS);
        for (int i = 0; i <= CORPUS.length(); i++) {
            assertThat(decode(CORPUS.substring(0, i), CORPUS.substring(i)))
                    .as("split at %d", i)
                    .isEqualTo(WORDS);
        }
    }

    @Test
    void readsTheSameInThreePieces() {
        for (int i = 0; i <= CORPUS.length(); i += 3) {
            for (int j = i; j <= CORPUS.length(); j += 2) {
                assertThat(decode(CORPUS.substring(0, i), CORPUS.substring(i, j), CORPUS.substring(j)))
                        .as("split at %d and %d", i, j)
                        .isEqualTo(WORDS);
            }
        }
    }

    @Test
    void readsTheSameByteByByte() {
        assertThat(decode(CORPUS.split("", -1))).isEqualTo(WORDS);
    }

    @Test
    void collectsLongWordsFromAnyPieces() {
        String value = "v".repeat(100_000) + "\r\n" + "w".repeat(50_000);
        String request = TestClient.request("set", "k", value) + TestClient.request("get", "k");
        List<List<String>> expected = List.of(List.of("set", "k", value), List.of("get", "k"));
        for (int piece : new int[] {1_000, 4_096, 32_768, 65_536, 149_999, 150_020}) {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < request.length(); i += piece) {
                parts.add(request.substring(i, Math.min(request.length(), i + piece)));
            }
            assertThat(decode(parts.toArray(String[]::new)))
                    .as("pieces of %d", piece)
                    .isEqualTo(expected);
        }
    }

    @Test
    void keepsTheWordsOfARequestThatWaitsWhileMoreComes() {
        feed(decoder, TestClient.request("set", "k", "v"));
        assertThat(decoder.next()).isTrue();
        feed(decoder, TestClient.request("get", "k"));
        feed(decoder, TestClient.request("del", "k"));
        assertThat(words(decoder)).containsExactly("set", "k", "v");
        assertThat(decoder.next()).isTrue();
        assertThat(words(decoder)).containsExactly("get", "k");
        assertThat(decoder.next()).isTrue();
        assertThat(words(decoder)).containsExactly("del", "k");
        assertThat(decoder.next()).isFalse();
        assertThat(decoder.heldBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "*x\\r\\n; invalid multibulk length",
                "*2147483648\\r\\n; invalid multibulk length",
                "*1\\r\\nx\\r\\n; expected '$', got 'x'",
                "*1\\r\\n$-1\\r\\n; invalid bulk length",
                "*1\\r\\n$x\\r\\n; invalid bulk length",
                "*1\\r\\n$200001\\r\\n; invalid bulk length",
                "*1\\r\\n$9999999999999999999\\r\\n; invalid bulk length",
                "get \"a\\r\\n; unbalanced quotes in request"
            })
    void refusesWhatIsNoRequest(String bytes, String text) {
        feed(decoder, bytes.replace("\\r", "\r").replace("\\n", "\n"));
        assertThatThrownBy(decoder::next)
                .isInstanceOf(ProtocolError.class)
                .extracting(error -> ((ProtocolError) error).text())
                .isEqualTo("Protocol error: " + text);
    }

    @Test
    void refusesLinesWithoutEnd() {
        feed(decoder, "x".repeat(InputLimits.LINE_BYTES_MAX));
        assertThat(decoder.next()).isFalse();
        feed(decoder, "x");
        assertThatThrownBy(decoder::next).isInstanceOf(ProtocolError.class);
    }

    @Test
    void takesAWordAtTheLimitAndNoRequestBeyondIts() {
        String word = "w".repeat(WORD_BYTES_MAX);
        assertThat(decode(TestClient.request("set", word))).hasSize(1);
        feed(decoder, "*9\r\n");
        for (int i = 0; i < 2; i++) {
            feed(decoder, "$" + WORD_BYTES_MAX + "\r\n" + word + "\r\n");
            if (i == 0) {
                assertThat(decoder.next()).isFalse();
            }
        }
        assertThatThrownBy(decoder::next).isInstanceOf(ProtocolError.class);
    }

    @Test
    void limitsStrangersMore() {
        RequestDecoder stranger = new RequestDecoder(new Limits(false));
        feed(stranger, "*10\r\n$16384\r\n");
        assertThat(stranger.next()).isFalse();
        RequestDecoder wordy = new RequestDecoder(new Limits(false));
        feed(wordy, "*11\r\n");
        assertThatThrownBy(wordy::next).isInstanceOf(ProtocolError.class);
    }
}
