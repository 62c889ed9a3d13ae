package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * Assembles a word that arrives in many reads. Its memory follows what has arrived, so an announced length alone costs
 * nothing.
 */
final class LongWord {
    private static final byte[] CLOSED = new byte[0];
    private static final int FIRST_BYTES = 128 * 1024;

    private byte[] bytes = CLOSED;
    private int length;
    private int size;
    private boolean open;

    /** The length is without the line end that follows, which is collected too. */
    void open(int wordLength, byte[] begun, int from, int to) {
        open = true;
        length = wordLength;
        size = to - from;
        bytes = Arrays.copyOfRange(begun, from, from + Math.min(wordLength + 2, Math.max(size, FIRST_BYTES)));
    }

    boolean isOpen() {
        return open;
    }

    boolean isFull() {
        return size == length + 2;
    }

    int size() {
        return size;
    }

    void fill(ByteBuf in) {
        int take = Math.min(in.readableBytes(), length + 2 - size);
        if (bytes.length < size + take) {
            long doubled = Math.max(2L * bytes.length, (long) size + take);
            bytes = Arrays.copyOf(bytes, (int) Math.min(length + 2, doubled));
        }
        in.readBytes(bytes, size, take);
        size += take;
    }

    Bytes take() {
        Bytes word = Bytes.of(bytes, 0, length);
        bytes = CLOSED;
        size = 0;
        open = false;
        return word;
    }
}
