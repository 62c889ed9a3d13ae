package io.polytable.redis.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of reply, byte for byte, in both protocols. */
class ReplyWriterTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ReplyWriter writer = new ReplyWriter(out::write);

    private String written(Reply reply, int protocol) {
        writer.write(reply, protocol);
        writer.end();
        String bytes = out.toString(ISO_8859_1);
        out.reset();
        return bytes;
    }

    private static Arguments golden(Reply reply, String resp2, String resp3) {
        return Arguments.of(reply, resp2, resp3);
    }

    private static Arguments same(Reply reply, String both) {
        return golden(reply, both, both);
    }

    static Stream<Arguments> replies() {
        return Stream.of(
                same(Reply.OK, "+OK\r\n"),
                same(Reply.QUEUED, "+QUEUED\r\n"),
                same(Reply.simple("PONG"), "+PONG\r\n"),
                same(Reply.of("text"), "$4\r\ntext\r\n"),
                same(Reply.of(""), "$0\r\n\r\n"),
                same(Reply.of(Bytes.of(new byte[] {0, 13, 10, -1})), "$4\r\n\0\r\n\u00ff\r\n"),
                same(Reply.of(0), ":0\r\n"),
                same(Reply.of(10), ":10\r\n"),
                same(Reply.of(99), ":99\r\n"),
                same(Reply.of(100), ":100\r\n"),
                same(Reply.of(999), ":999\r\n"),
                same(Reply.of(1000), ":1000\r\n"),
                same(Reply.of(-1), ":-1\r\n"),
                same(Reply.of(Long.MAX_VALUE), ":9223372036854775807\r\n"),
                same(Reply.of(Long.MIN_VALUE), ":-9223372036854775808\r\n"),
                same(Reply.error(RedisError.SYNTAX), "-ERR syntax error\r\n"),
                same(
                        Reply.error(RedisError.WRONG_TYPE),
                        "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"),
                same(Reply.error(new RedisError("a\r\nb")), "-ERR a  b\r\n"),
                same(Reply.error(new RedisError("option k\r\n")), "-ERR option k\r\n"),
                same(new Reply.NoReply(), ""),
                golden(Reply.ABSENT, "$-1\r\n", "_\r\n"),
                golden(Reply.ABSENT_ARRAY, "*-1\r\n", "_\r\n"),
                same(Reply.EMPTY, "*0\r\n"),
                same(Reply.bulks(List.of()), "*0\r\n"),
                same(Reply.bulks(List.of(Bytes.utf8("a"), Bytes.EMPTY)), "*2\r\n$1\r\na\r\n$0\r\n\r\n"),
                golden(Reply.many(Reply.of("a"), Reply.ABSENT), "*2\r\n$1\r\na\r\n$-1\r\n", "*2\r\n$1\r\na\r\n_\r\n"),
                golden(Reply.mapOf(Reply.of("a"), Reply.of(1)), "*2\r\n$1\r\na\r\n:1\r\n", "%1\r\n$1\r\na\r\n:1\r\n"),
                golden(Reply.setOf(List.of(Bytes.utf8("a"))), "*1\r\n$1\r\na\r\n", "~1\r\n$1\r\na\r\n"),
                golden(Reply.of(1.5), "$3\r\n1.5\r\n", ",1.5\r\n"),
                golden(Reply.of(3.0), "$1\r\n3\r\n", ",3\r\n"),
                golden(Reply.of(-0.0), "$2\r\n-0\r\n", ",-0\r\n"),
                golden(Reply.of(1e300), "$6\r\n1e+300\r\n", ",1e+300\r\n"),
                golden(Reply.of(Double.POSITIVE_INFINITY), "$3\r\ninf\r\n", ",inf\r\n"),
                golden(Reply.of(Double.NEGATIVE_INFINITY), "$4\r\n-inf\r\n", ",-inf\r\n"),
                golden(new Reply.Bool(true), ":1\r\n", "#t\r\n"),
                golden(new Reply.Bool(false), ":0\r\n", "#f\r\n"),
                golden(new Reply.BigNumber("123"), "$3\r\n123\r\n", "(123\r\n"),
                golden(new Reply.Verbatim("txt", Bytes.utf8("hello")), "$5\r\nhello\r\n", "=9\r\ntxt:hello\r\n"),
                golden(new Reply.Push(List.of(Reply.of("a"))), "*1\r\n$1\r\na\r\n", ">1\r\n$1\r\na\r\n"));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void writesEachKindInBothProtocols(Reply reply, String resp2, String resp3) {
        assertThat(written(reply, 2)).isEqualTo(resp2);
        assertThat(written(reply, 3)).isEqualTo(resp3);
    }

    @Test
    void writesValuesOfAnyLength() {
        for (int length : new int[] {1, 4_095, 4_096, 32_700, 32_768, 32_800, 1_000_000}) {
            String value = "v".repeat(length);
            assertThat(written(Reply.of(value), 2)).isEqualTo("$" + length + "\r\n" + value + "\r\n");
        }
    }

    @Test
    void writesMoreThanItsOwnArrayHolds() {
        int count = 100_000;
        String all = written(Reply.many(Collections.nCopies(count, Reply.of(7))), 2);
        assertThat(all).isEqualTo("*" + count + "\r\n" + ":7\r\n".repeat(count));
    }
}
