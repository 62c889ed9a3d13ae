package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a connection sends into the six bytes of its preamble and frames, each behind its length. A frame's array
 * grows with what has come of it, in few steps, so that a length alone costs nothing. Of a frame that is too long, or for which there is
 * no memory, only the start is kept, to answer it; the rest is thrown away as it comes.
 */
final class FrameReader {
    static final int PREAMBLE_BYTES = 6;

    /** Many times what a request's header takes. It is not counted, and there may be as many of it as connections. */
    private static final int START_BYTES = 8 << 10;

    /** A frame's array has room for so many times what has come: each step copies, and two megabytes are a usual frame. */
    private static final int GROWTH = 8;

    /** What the bytes are for. */
    interface Sink {
        void preamble(byte[] bytes);

        /** The frame's length was taken from the memory; whoever is done with the frame gives it back. */
        void frame(byte[] frame);

        /** A frame was longer than allowed; this is how it began. */
        void tooLong(byte[] start, int length);

        /** There was no memory for the frame; this is how it began. */
        void noRoom(byte[] start);

        /** The length is none; nothing behind it can be understood. */
        void senseless(int length);
    }

    private final int bytesMax;
    private final CallMemory memory;
    private boolean preambleRead;
    private byte @Nullable [] part;
    private int filled;
    private int length = -1;
    private int thrownAway;

    /** What the frame that is coming has taken of the memory; its start is free. */
    private int taken;

    private boolean refused;
    private long come;

    FrameReader(int bytesMax, CallMemory memory) {
        this.bytesMax = (int) Math.min(bytesMax, memory.bytesMax());
        this.memory = memory;
    }

    int bytesMax() {
        return bytesMax;
    }

    /** Reads all that is there; a sink that gives the connection up sees to it that nothing more comes. */
    void read(ByteBuf in, Sink sink) {
        come += in.readableBytes();
        while (in.isReadable()) {
            if (thrownAway > 0) {
                int skipped = Math.min(thrownAway, in.readableBytes());
                in.skipBytes(skipped);
                thrownAway -= skipped;
            } else if (!preambleRead) {
                readPreamble(in, sink);
            } else if (length < 0) {
                readLength(in, sink);
            } else {
                readBody(in, sink);
            }
        }
    }

    /** Whether more has to come of what has begun. */
    boolean isUnderWay() {
        return part != null || length >= 0 || thrownAway > 0;
    }

    /** All bytes that ever came. */
    long come() {
        return come;
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
            sink.senseless(value);
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
            thrownAway = whole - frame.length;
            letGo();
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

    /** Takes memory for the array that what has come by now needs. */
    private boolean takesMore(ByteBuf in) {
        byte[] bytes = part;
        long come = (bytes == null ? 0L : filled) + in.readableBytes();
        int room = bytes != null && come <= bytes.length ? bytes.length : room(length, come);
        int more = room - START_BYTES - taken;
        if (more > 0 && !memory.tryTake(more)) {
            return false;
        }
        taken += Math.max(0, more);
        return true;
    }

    private static int room(int wanted, long come) {
        return (int) Math.min(wanted, Math.max(START_BYTES, GROWTH * come));
    }

    /** Gives back what an incomplete frame holds; nothing more is read of it. */
    void letGo() {
        memory.release(taken);
        taken = 0;
        refused = false;
    }

    /** The next bytes, as many as wanted, when all of them are there. */
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
