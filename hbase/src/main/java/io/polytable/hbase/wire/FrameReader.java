package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import io.polytable.frontend.limit.Budget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a connection's input into the preamble of six bytes and length-prefixed frames. A frame's array grows with
 * the received bytes, in few steps, so that a length alone costs no memory. Of a frame that is too long, or exceeds
 * the budget, it keeps only the start, to answer the call, and discards the rest.
 */
final class FrameReader {
    static final int PREAMBLE_BYTES = 6;

    /** Far more than a request header needs. It is not counted in the budget, and each connection may hold it once. */
    private static final int START_BYTES = 8 << 10;

    /** The array's growth factor over the received bytes: each step copies, and frames of two megabytes are common. */
    private static final int GROWTH = 8;

    /** Receives the parsed input. */
    interface Sink {
        void preamble(byte[] bytes);

        /** The frame's length was taken from the budget; the receiver releases it. */
        void frame(byte[] frame);

        /** A frame was longer than allowed; {@code start} is its beginning. */
        void tooLong(byte[] start, int length);

        /** The frame exceeded the budget; {@code start} is its beginning. */
        void noRoom(byte[] start);

        /** The length is not positive, so the rest of the stream cannot be parsed. */
        void badLength(int length);
    }

    private final int bytesMax;
    private final Budget memory;
    private boolean preambleRead;
    private byte @Nullable [] part;
    private int filled;
    private int length = -1;
    private int discarding;

    /** The bytes that the current frame took from the budget; its start is not counted. */
    private int taken;

    private boolean refused;
    private long received;

    FrameReader(int bytesMax, Budget memory) {
        this.bytesMax = (int) Math.min(bytesMax, memory.limitBytes());
        this.memory = memory;
    }

    int bytesMax() {
        return bytesMax;
    }

    /** Consumes the whole input. A sink that closes the connection must stop further input. */
    void read(ByteBuf in, Sink sink) {
        received += in.readableBytes();
        while (in.isReadable()) {
            if (discarding > 0) {
                int skipped = Math.min(discarding, in.readableBytes());
                in.skipBytes(skipped);
                discarding -= skipped;
            } else if (!preambleRead) {
                readPreamble(in, sink);
            } else if (length < 0) {
                readLength(in, sink);
            } else {
                readBody(in, sink);
            }
        }
    }

    /** Whether a preamble, length or frame is incomplete. */
    boolean isUnderWay() {
        return part != null || length >= 0 || discarding > 0;
    }

    /** All bytes received so far. */
    long received() {
        return received;
    }

    private void readPreamble(ByteBuf in, Sink sink) {
        byte[] preamble = fill(in, PREAMBLE_BYTES);
        if (preamble != null) {
            preambleRead = true;
            sink.preamble(preamble);
        }
    }

    private void readLength(ByteBuf in, Sink sink) {
        byte[] bytes = fill(in, Integer.BYTES);
        if (bytes == null) {
            return;
        }
        int value =
                ((bytes[0] & 0xff) << 24) | ((bytes[1] & 0xff) << 16) | ((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff);
        if (value <= 0) {
            in.skipBytes(in.readableBytes());
            sink.badLength(value);
            return;
        }
        length = value;
    }

    private void readBody(ByteBuf in, Sink sink) {
        boolean tooLong = length > bytesMax;
        refused = refused || (!tooLong && !takesMore(in));
        int start = Math.min(length, Math.max(START_BYTES, part == null ? 0 : filled));
        byte[] frame = fill(in, tooLong || refused ? start : length);
        if (frame == null) {
            return;
        }
        int whole = length;
        length = -1;
        if (tooLong || refused) {
            boolean noRoom = refused;
            discarding = whole - frame.length;
            release();
            if (noRoom) {
                sink.noRoom(frame);
            } else {
                sink.tooLong(frame, whole);
            }
        } else {
            memory.take(whole - taken);
            taken = 0;
            sink.frame(frame);
        }
    }

    /** Takes from the budget what the array needs for the bytes received so far. */
    private boolean takesMore(ByteBuf in) {
        byte[] bytes = part;
        long ofFrame = (bytes == null ? 0L : filled) + in.readableBytes();
        int room = bytes != null && ofFrame <= bytes.length ? bytes.length : room(length, ofFrame);
        int more = room - START_BYTES - taken;
        if (more > 0 && !memory.tryTake(more)) {
            return false;
        }
        taken += Math.max(0, more);
        return true;
    }

    private static int room(int wanted, long ofFrame) {
        return (int) Math.min(wanted, Math.max(START_BYTES, GROWTH * ofFrame));
    }

    /** Releases the budget of an incomplete frame, which is not read any further. */
    void release() {
        memory.release(taken);
        taken = 0;
        refused = false;
    }

    /** The next {@code wanted} bytes; null until all are received. */
    private byte @Nullable [] fill(ByteBuf in, int wanted) {
        byte[] bytes = part;
        if (bytes == null) {
            bytes = new byte[room(wanted, in.readableBytes())];
            filled = 0;
        }
        int count = Math.min(wanted - filled, in.readableBytes());
        if (filled + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, room(wanted, (long) filled + count));
        }
        in.readBytes(bytes, filled, count);
        filled += count;
        boolean complete = filled == wanted;
        part = complete ? null : bytes;
        if (!complete) {
            return null;
        }
        return bytes.length == wanted ? bytes : Arrays.copyOf(bytes, wanted);
    }
}
