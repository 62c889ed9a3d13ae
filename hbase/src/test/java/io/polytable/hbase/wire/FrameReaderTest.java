package io.polytable.hbase.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.polytable.frontend.limit.Budget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory that a frame takes while it arrives, and that it is complete however it is cut into pieces. */
class FrameReaderTest {
    private static final int FRAME = 2 << 20;
    private static final int PIECE = 64 << 10;

    private final Budget memory = Budget.of("requests", 8 << 20);
    private final FrameReader reader = new FrameReader(4 << 20, memory);
    private final List<byte[]> frames = new ArrayList<>();

    private final FrameReader.Sink sink = new FrameReader.Sink() {
        @Override
        public void preamble(byte[] bytes) {}

        @Override
        public void frame(byte[] frame) {
            frames.add(frame);
        }

        @Override
        public void tooLong(byte[] start, int length) {
            throw new AssertionError("too long");
        }

        @Override
        public void noRoom(byte[] start) {
            throw new AssertionError("no space");
        }

        @Override
        public void badLength(int length) {
            throw new AssertionError("badLength");
        }
    };

    private void received(byte[] bytes, int from, int length) {
        reader.read(Unpooled.wrappedBuffer(bytes, from, length), sink);
    }

    private static byte[] sent(int frame) {
        byte[] bytes = new byte[FrameReader.PREAMBLE_BYTES + Integer.BYTES + frame];
        for (int i = bytes.length - frame; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        ByteBuf out = Unpooled.wrappedBuffer(bytes);
        out.setInt(FrameReader.PREAMBLE_BYTES, frame);
        return bytes;
    }

    @Test
    void aFrameTakesAFewTimesWhatHasComeOfItAndAtLastItsLength() {
        byte[] bytes = sent(FRAME);
        for (int from = 0; from < bytes.length; from += PIECE) {
            int length = Math.min(PIECE, bytes.length - from);
            received(bytes, from, length);
            assertThat(memory.heldBytes()).isBetween(0L, Math.min(FRAME, 8L * (from + length)));
        }
        assertThat(frames).hasSize(1);
        assertThat(frames.get(0)).isEqualTo(Arrays.copyOfRange(bytes, bytes.length - FRAME, bytes.length));
        assertThat(memory.heldBytes()).isEqualTo(FRAME);
    }

    @Test
    void aLengthAloneTakesNothingAndAnEndGivesAllBack() {
        byte[] bytes = sent(FRAME);
        received(bytes, 0, FrameReader.PREAMBLE_BYTES + Integer.BYTES);
        assertThat(memory.heldBytes()).isZero();
        received(bytes, FrameReader.PREAMBLE_BYTES + Integer.BYTES, PIECE);
        assertThat(memory.heldBytes()).isPositive();
        reader.release();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void framesOfAllSizesComeWholeInPiecesOfAllSizes() {
        for (int size : new int[] {1, 100, 8 << 10, (8 << 10) + 1, 70_000, 600_000}) {
            for (int piece : new int[] {1_000, 9_000, PIECE, 1 << 20}) {
                FrameReader fresh = new FrameReader(4 << 20, Budget.of("requests", 8 << 20));
                byte[] bytes = sent(size);
                frames.clear();
                for (int from = 0; from < bytes.length; from += piece) {
                    int length = Math.min(piece, bytes.length - from);
                    fresh.read(Unpooled.wrappedBuffer(bytes, from, length), sink);
                }
                assertThat(frames).hasSize(1);
                assertThat(frames.get(0)).isEqualTo(Arrays.copyOfRange(bytes, bytes.length - size, bytes.length));
            }
        }
    }
}
