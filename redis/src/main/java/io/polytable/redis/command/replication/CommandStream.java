package io.polytable.redis.command.replication;

import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/** Reads the commands that a primary sends, and counts their bytes. Not thread safe. */
final class CommandStream {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LINE_BYTES_MAX = 64;
    private static final int WORDS_MAX = 1 << 24;

    /** A word is allocated in steps: its length may be a lie. */
    private static final int STEP_BYTES = 1 << 20;

    private final InputStream in;
    private final Quiet quiet;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private long base;

    /** Called when nothing came for a while, and before each wait; it may throw to end the reading. */
    interface Quiet {
        void check() throws IOException;
    }

    /** @param offset of the last byte before this stream */
    CommandStream(InputStream in, long offset, Quiet quiet) {
        this.in = in;
        this.base = offset;
        this.quiet = quiet;
    }

    /** The offset of the last byte that was read as part of a command. */
    long offset() {
        return base + at;
    }

    /** Whether the next command, or a part of it, is there already. */
    boolean hasMore() throws IOException {
        return at < end || in.available() > 0;
    }

    /**
     * The words of the next command; waits for it.
     *
     * @throws IOException when the connection ends, or sends something else
     */
    Bytes[] next() throws IOException {
        int first = nextByte();
        while (first == '\n') {
            // Keeps the connection alive.
            first = nextByte();
        }
        if (first != '*') {
            throw new IOException("the primary sent no command, but a byte " + first);
        }
        Bytes[] words = new Bytes[number(WORDS_MAX)];
        if (words.length == 0) {
            throw new IOException("the primary sent a command without a name");
        }
        for (int i = 0; i < words.length; i++) {
            if (nextByte() != '$') {
                throw new IOException("the primary sent a command that is no array of strings");
            }
            words[i] = word(number(Limits.STRING_BYTES_MAX));
        }
        return words;
    }

    private int number(long max) throws IOException {
        long value = 0;
        int digits = 0;
        for (int b = nextByte(); b != '\r'; b = nextByte()) {
            value = value * 10 + b - '0';
            if (b < '0' || b > '9' || value > max || ++digits > LINE_BYTES_MAX) {
                throw new IOException("the primary sent a length that is not between 0 and " + max);
            }
        }
        skip('\n');
        return (int) value;
    }

    private Bytes word(int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, STEP_BYTES)];
        int filled = 0;
        while (filled < length) {
            if (filled == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
            }
            if (at == end) {
                fill();
            }
            int step = Math.min(end - at, bytes.length - filled);
            System.arraycopy(buffer, at, bytes, filled, step);
            at += step;
            filled += step;
        }
        skip('\r');
        skip('\n');
        return Bytes.of(bytes);
    }

    private void skip(int expected) throws IOException {
        if (nextByte() != expected) {
            throw new IOException("the primary sent a line that does not end");
        }
    }

    private int nextByte() throws IOException {
        if (at == end) {
            fill();
        }
        return buffer[at++];
    }

    private void fill() throws IOException {
        base += end;
        at = 0;
        end = 0;
        while (end == 0) {
            quiet.check();
            try {
                int length = in.read(buffer, 0, BUFFER_BYTES);
                if (length < 0) {
                    throw new EOFException("the primary closed the connection");
                }
                end = length;
            } catch (SocketTimeoutException nothingYet) {
                end = 0;
            }
        }
    }
}
