package io.polytable.redis.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.List;

/**
 * Encodes replies as RESP2 or RESP3. It fills a plain array, which is cheaper than a channel's buffer, and passes it to
 * its sink when it is full or on request; long values go to the sink directly. Each event loop has one, used by one
 * connection at a time.
 */
final class ReplyWriter {
    /** The destination: a connection's output. */
    interface Sink {
        void take(byte[] bytes, int offset, int length);

        /** Whether it has space for this many bytes. */
        default boolean hasRoom(int length) {
            return true;
        }

        /** The bytes taken in this turn. */
        default long taken() {
            return 0;
        }

        /** Truncates what was taken in this turn. */
        default void cutTo(long length) {}
    }

    /** Aborts a reply that there is no space for. */
    private static final class Overflow extends RuntimeException {
        private static final long serialVersionUID = 1;

        Overflow() {
            super(null, null, false, false);
        }
    }

    private static final Reply NO_ROOM = Reply.error(new RedisError(
            RedisError.Code.OOM, "all clients together hold more replies than the server's memory allows"));

    private static final int SIZE = 32 * 1024;
    private static final int LONG_VALUE_BYTES = 4 * 1024;

    /** More than any length line or number needs. */
    private static final int LINE_BYTES_MAX = 32;

    private static final byte[] OK = ascii("+OK\r\n");
    private static final byte[] NULL_BULK = ascii("$-1\r\n");
    private static final byte[] NULL_ARRAY = ascii("*-1\r\n");
    private static final byte[] NULL = ascii("_\r\n");

    private final byte[] bytes = new byte[SIZE];
    private int size;
    private Sink sink;
    private boolean resp3;

    ReplyWriter(Sink sink) {
        this.sink = sink;
    }

    /** Switches to another sink; the last one has its bytes. Bytes left by a failure are discarded. */
    void begin(Sink next) {
        sink = next;
        size = 0;
    }

    /** Passes the buffered bytes to the sink. */
    void end() {
        if (size > 0) {
            sink.take(bytes, 0, size);
            size = 0;
        }
    }

    /** Writes the reply, or an error if there is no space for it; returns whether there was. */
    boolean write(Reply reply, int protocol) {
        resp3 = protocol >= 3;
        long taken = sink.taken();
        int start = size;
        try {
            write(reply);
            return true;
        } catch (Overflow full) {
            // The bytes before the reply went to the sink first, if anything did.
            boolean handedOver = sink.taken() > taken;
            sink.cutTo(taken + (handedOver ? start : 0));
            size = handedOver ? 0 : start;
            // Regardless of space, which may not suffice for the error; at most one buffer.
            end();
            write(NO_ROOM);
            return false;
        }
    }

    private void handOver(byte[] source, int offset, int length) {
        if (!sink.hasRoom(length)) {
            throw new Overflow();
        }
        sink.take(source, offset, length);
    }

    private void handOver() {
        if (size > 0) {
            handOver(bytes, 0, size);
            size = 0;
        }
    }

    private void write(Reply reply) {
        if (reply == Reply.OK) {
            raw(OK);
        } else if (reply instanceof Reply.Bulk bulk) {
            bulk(bulk.value());
        } else if (reply instanceof Reply.Int number) {
            line((byte) ':', number.value());
        } else if (reply instanceof Reply.Absent) {
            raw(resp3 ? NULL : NULL_BULK);
        } else if (reply instanceof Reply.Many many) {
            items((byte) '*', many.items());
        } else if (reply instanceof Reply.Bulks bulks) {
            bulks(bulks.values());
        } else {
            writeRare(reply);
        }
    }

    private void writeRare(Reply reply) {
        if (reply instanceof Reply.Simple simple) {
            text((byte) '+', simple.text());
        } else if (reply instanceof Reply.Failure failure) {
            error(failure.error());
        } else if (reply instanceof Reply.AbsentArray) {
            raw(resp3 ? NULL : NULL_ARRAY);
        } else if (reply instanceof Reply.MapOf map) {
            map(map.namesAndValues());
        } else if (reply instanceof Reply.SetOf set) {
            items(resp3 ? (byte) '~' : (byte) '*', set.items());
        } else if (reply instanceof Reply.DoubleOf number) {
            number(number.value());
        } else if (reply instanceof Reply.DecimalOf decimal) {
            decimal(decimal.digits());
        } else {
            writeRarest(reply);
        }
    }

    private void writeRarest(Reply reply) {
        if (reply instanceof Reply.Bool bool) {
            bool(bool.value());
        } else if (reply instanceof Reply.BigNumber big) {
            bigNumber(big.digits());
        } else if (reply instanceof Reply.Verbatim verbatim) {
            verbatim(verbatim);
        } else if (reply instanceof Reply.Push push) {
            items(resp3 ? (byte) '>' : (byte) '*', push.items());
        } else if (reply instanceof Reply.Pushes pushes) {
            pushes.all().forEach(this::write);
        } else if (reply instanceof Reply.Transcript transcript) {
            transcript(transcript);
        } else if (reply instanceof Reply.Spoken spoken) {
            in(spoken.protocol(), () -> write(spoken.reply()));
        } else if (!(reply instanceof Reply.NoReply)) {
            throw new IllegalStateException("no bytes for " + reply);
        }
    }

    private void transcript(Reply.Transcript transcript) {
        if (transcript.begins()) {
            line((byte) '*', transcript.items().size());
        }
        in(transcript.protocol(), () -> transcript.items().forEach(this::write));
    }

    private void in(int protocol, Runnable writing) {
        boolean before = resp3;
        resp3 = protocol == 3;
        writing.run();
        resp3 = before;
    }

    private void decimal(String digits) {
        if (resp3) {
            text((byte) ',', digits);
        } else {
            bulk(Bytes.utf8(digits));
        }
    }

    private void bulk(Bytes value) {
        int length = value.length();
        line((byte) '$', length);
        if (length >= LONG_VALUE_BYTES) {
            handOver();
            handOver(value.array(), value.offset(), length);
        } else {
            room(length + 2);
            System.arraycopy(value.array(), value.offset(), bytes, size, length);
            size += length;
        }
        lineEnd();
    }

    private void items(byte kind, List<? extends Reply> items) {
        line(kind, items.size());
        for (int i = 0; i < items.size(); i++) {
            write(items.get(i));
        }
    }

    private void bulks(List<Bytes> values) {
        line((byte) '*', values.size());
        for (int i = 0; i < values.size(); i++) {
            bulk(values.get(i));
        }
    }

    private void map(List<? extends Reply> namesAndValues) {
        int size = namesAndValues.size();
        line(resp3 ? (byte) '%' : (byte) '*', resp3 ? size / 2 : size);
        for (int i = 0; i < size; i++) {
            write(namesAndValues.get(i));
        }
    }

    private void error(RedisError error) {
        // The text may quote the client's words, and a line break would end the reply early. As in Redis, trailing ones
        // are removed and the others become blanks.
        String text = error.line();
        int end = text.length();
        while (end > 0 && (text.charAt(end - 1) == '\r' || text.charAt(end - 1) == '\n')) {
            end--;
        }
        text((byte) '-', text.substring(0, end).replace('\r', ' ').replace('\n', ' '));
    }

    private void number(double value) {
        Bytes text = Numbers.format(value);
        if (resp3) {
            text((byte) ',', text.utf8());
        } else {
            bulk(text);
        }
    }

    private void bool(boolean value) {
        if (resp3) {
            text((byte) '#', value ? "t" : "f");
        } else {
            line((byte) ':', value ? 1 : 0);
        }
    }

    private void bigNumber(String digits) {
        if (resp3) {
            text((byte) '(', digits);
        } else {
            bulk(Bytes.utf8(digits));
        }
    }

    private void verbatim(Reply.Verbatim verbatim) {
        if (!resp3) {
            bulk(verbatim.text());
            return;
        }
        line((byte) '=', verbatim.text().length() + 4);
        raw(ascii(verbatim.format() + ":"));
        raw(verbatim.text());
        lineEnd();
    }

    private void text(byte kind, String text) {
        room(1);
        bytes[size++] = kind;
        raw(ascii(text));
        lineEnd();
    }

    private void raw(byte[] encoded) {
        if (encoded.length > SIZE) {
            raw(Bytes.of(encoded));
            return;
        }
        room(encoded.length);
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
    }

    private void raw(Bytes encoded) {
        handOver();
        handOver(encoded.array(), encoded.offset(), encoded.length());
    }

    /** A type byte and a number on a line. */
    private void line(byte kind, long number) {
        room(LINE_BYTES_MAX);
        bytes[size] = kind;
        int end = Decimal.write(number, bytes, size + 1);
        bytes[end] = '\r';
        bytes[end + 1] = '\n';
        size = end + 2;
    }

    private void lineEnd() {
        room(2);
        bytes[size++] = '\r';
        bytes[size++] = '\n';
    }

    private void room(int wanted) {
        if (SIZE - size < wanted) {
            handOver();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
