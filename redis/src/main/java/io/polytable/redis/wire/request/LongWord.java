package io.polytable.redis.wire.request;

import io.netty.buffer.ByteBuf;
import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * Assembles a word that arrives in many reads. Its memory grows with the received bytes, so an announced length alone
 * costs nothing. Once a quarter has arrived it allocates the whole word, since growing by copies would hold a large
 * word almost twice.
 */
final class LongWord {
    private static final byte[] CLOSED = new byte[0];
    private static final int FIRST_BYTES = 128 * 1024;
    private static final int BELIEVED_SHARE = 4;

    private byte[] bytes = CLOSED;
    private int length;
    private int size;
    private boolean open;

    /** The length excludes the trailing line end, which is collected too. */
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

    /** The allocated memory. */
    int heldBytes() {
        return bytes.length;
    }

    void fill(ByteBuf in) {
        int take = Math.min(in.readableBytes(), length + 2 - size);
        if (bytes.length < size + take) {
            bytes = Arrays.copyOf(bytes, roomFor(size + take));
        }
        in.readBytes(bytes, size, take);
        size += take;
    }

    private int roomFor(int wanted) {
        int whole = length + 2;
        return wanted > whole / BELIEVED_SHARE ? whole : (int) Math.min(whole, Math.max(2L * bytes.length, wanted));
    }

    /** Discards the word. */
    void drop() {
        bytes = CLOSED;
        size = 0;
        open = false;
    }

    Bytes take() {
        Bytes word = Bytes.of(bytes, 0, length);
        drop();
        return word;
    }
}
