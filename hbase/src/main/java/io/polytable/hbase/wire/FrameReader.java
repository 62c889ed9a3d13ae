package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a connection sends into the six bytes of its preamble and frames, each behind its length. A frame's array
 * grows with what has come of it, so that a length alone costs nothing. Of a frame that is too long only the start is
 * kept, to answer it; the rest is thrown away as it comes.
 */
final class FrameReader {
    static final int PREAMBLE_BYTES = 6;
    private static final int START_BYTES = 64 << 10;

    /** What the bytes are for. */
    interface Sink {
        void preamble(byte[] bytes);

        void frame(byte[] frame);

        /** A frame was longer than allowed; this is how it began. */
        void tooLong(byte[] start, int length);

        /** The length is none; nothing behind it can be understood. */
        void senseless(int length);
    }

    private final int bytesMax;
    private boolean preambleRead;
    private byte @Nullable [] part;
    private int filled;
    private int length = -1;
    private int thrownAway;

    FrameReader(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Reads all that is there; a sink that gives the connection up sees to it that nothing more comes. */
    void read(ByteBuf in, Sink sink) {
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
        byte[] frame = fill(in, tooLong ? Math.min(length, START_BYTES) : length);
        if (frame == null) {
            return;
        }
        int whole = length;
        length = -1;
        if (tooLong) {
            thrownAway = whole - frame.length;
            sink.tooLong(frame, whole);
        } else {
            sink.frame(frame);
        }
    }

    /** The next bytes, as many as wanted, when all of them are there. */
    private byte @Nullable [] fill(ByteBuf in, int wanted) {
        byte[] bytes = part;
        if (bytes == null) {
            bytes = new byte[Math.min(wanted, Math.max(START_BYTES, in.readableBytes()))];
            filled = 0;
        }
        int count = Math.min(wanted - filled, in.readableBytes());
        if (filled + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Math.max((long) filled + count, 2L * bytes.length)));
        }
        in.readBytes(bytes, filled, count);
        filled += count;
        boolean complete = filled == wanted;
        part = complete ? null : bytes;
        return complete ? bytes : null;
    }
}
