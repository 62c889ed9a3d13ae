package io.polytable.redis.model.dump;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.ByteInput;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.packing.PackedInput;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.util.function.LongConsumer;

/** Decodes lengths, strings and numbers in Redis' format. */
public final class ValueInput {
    private final ByteInput in;

    /** The bytes that compressed strings may still expand to: many small ones must not exceed one large one. */
    private long decompressedLeft = Limits.VALUE_BYTES_MAX;

    private final LongConsumer kept;

    /** Calls {@code kept} before each value is created, with its bytes if they are not part of the payload. */
    ValueInput(Bytes value, LongConsumer kept) {
        this(new PackedInput(value), kept);
    }

    /** As {@link #ValueInput(Bytes, LongConsumer)}, from any source. */
    public ValueInput(ByteInput in, LongConsumer kept) {
        this.in = in;
        this.kept = kept;
    }

    /** Starts the next part of what is read in parts: what was decompressed before is no longer kept. */
    public void nextPart() {
        decompressedLeft = Limits.VALUE_BYTES_MAX;
    }

    /** To be called for what is created elsewhere. */
    LongConsumer kept() {
        return kept;
    }

    public int next() {
        return in.next();
    }

    /** The bytes that were not read yet. */
    long left() {
        return in.leftMax();
    }

    /** Unsigned. */
    public long length() {
        int first = in.next();
        if (first >= 0xc0) {
            throw new MalformedPacking("a length is none");
        }
        return length(first);
    }

    private long length(int first) {
        return switch (first >> 6) {
            case 0 -> first;
            case 1 -> (first & 0x3fL) << 8 | in.next();
            default -> longLength(first);
        };
    }

    private long longLength(int first) {
        if (first == 0x80) {
            return in.bigEndian(Integer.BYTES);
        }
        if (first == 0x81) {
            return in.bigEndian(Long.BYTES);
        }
        throw new MalformedPacking("a length is none");
    }

    /** A number of elements. Each takes at least {@code bytesMin} bytes, so a larger number cannot be true. */
    long count(int bytesMin) {
        long count = length();
        if (count < 0 || count > in.leftMax() / bytesMin) {
            throw new MalformedPacking("there are not so many elements");
        }
        return count;
    }

    public Bytes string() {
        kept.accept(0);
        int first = in.next();
        return switch (first) {
            case 0xc0 -> Numbers.format(in.littleEndian(Byte.BYTES));
            case 0xc1 -> Numbers.format(in.littleEndian(Short.BYTES));
            case 0xc2 -> Numbers.format(in.littleEndian(Integer.BYTES));
            case 0xc3 -> decompressed();
            default -> {
                if (first > 0xc3) {
                    throw new MalformedPacking("a string's encoding is unknown");
                }
                yield in.take(length(first));
            }
        };
    }

    private Bytes decompressed() {
        long packed = length();
        long length = length();
        Bytes compressed = in.take(packed);
        Lzf.checkLength(compressed, length, decompressedLeft);
        kept.accept(length);
        Bytes value = Lzf.decompress(compressed, length, (int) decompressedLeft);
        decompressedLeft -= length;
        return value;
    }

    double binaryDouble() {
        return Double.longBitsToDouble(in.littleEndian(Long.BYTES));
    }

    /** A double as text, or one of the three that have no text. */
    double textDouble() {
        int length = in.next();
        return switch (length) {
            case 255 -> Double.NEGATIVE_INFINITY;
            case 254 -> Double.POSITIVE_INFINITY;
            case 253 -> Double.NaN;
            default ->
                Numbers.parseLeniently(in.take(length)).orElseThrow(() -> new MalformedPacking("a score is no number"));
        };
    }

    public long millis() {
        return in.littleEndian(Long.BYTES);
    }

    StreamId rawId() {
        return StreamId.at(in.take(StreamId.BYTES), 0);
    }

    StreamId id() {
        return new StreamId(length(), length());
    }
}
