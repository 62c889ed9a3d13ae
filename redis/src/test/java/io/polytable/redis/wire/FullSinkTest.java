package io.polytable.redis.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.Reply;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reply that there is no space for becomes an error, wherever in the writer's buffer it begins. */
class FullSinkTest {
    private static final String NO_ROOM =
            "-OOM all clients together hold more replies than the server's memory allows\r\n";

    /** Has space for so much, and takes what it is made to take all the same. */
    private static final class BoundedSink implements ReplyWriter.Sink {
        private final int bytesMax;
        private byte[] bytes = new byte[0];

        BoundedSink(int bytesMax) {
            this.bytesMax = bytesMax;
        }

        @Override
        public void take(byte[] more, int offset, int length) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(bytes);
            all.write(more, offset, length);
            bytes = all.toByteArray();
        }

        @Override
        public boolean hasRoom(int length) {
            return bytes.length + length <= bytesMax;
        }

        @Override
        public long taken() {
            return bytes.length;
        }

        @Override
        public void cutTo(long length) {
            bytes = Arrays.copyOf(bytes, (int) length);
        }

        String text() {
            return new String(bytes, ISO_8859_1);
        }
    }

    /** The buffer is 32768 bytes: so many are left of it when the reply begins, also fewer than the error takes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 30, 60, 76, 77, 78, 200})
    void theErrorIsWholeAndTheNextClientGetsNothingOfIt(int left) {
        BoundedSink sink = new BoundedSink(1000);
        ReplyWriter writer = new ReplyWriter(sink);
        String before = fill(writer, 32768 - left);
        boolean told = writer.write(Reply.of("x".repeat(400)), 2);
        writer.end();
        assertThat(told).isFalse();
        assertThat(sink.text()).isEqualTo(before + NO_ROOM);
        assertThat(ofTheNextClient(writer)).isEqualTo("+OK\r\n");
    }

    @Test
    void whatAFailureLeftInTheBufferIsForNobodyElse() {
        ReplyWriter writer = new ReplyWriter(new BoundedSink(1000));
        writer.write(Reply.of("secret"), 2);
        assertThat(ofTheNextClient(writer)).isEqualTo("+OK\r\n");
    }

    private static String ofTheNextClient(ReplyWriter writer) {
        BoundedSink next = new BoundedSink(1000);
        writer.begin(next);
        writer.write(Reply.OK, 2);
        writer.end();
        return next.text();
    }

    /** Simple replies of four bytes and more that fill the buffer to the byte. */
    private static String fill(ReplyWriter writer, int bytes) {
        StringBuilder all = new StringBuilder();
        while (all.length() < bytes) {
            int rest = bytes - all.length();
            String text = "y".repeat((rest < 200 ? rest : 100) - 3);
            assertThat(writer.write(Reply.simple(text), 2)).isTrue();
            all.append('+').append(text).append("\r\n");
        }
        return all.toString();
    }
}
