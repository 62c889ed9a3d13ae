package io.polytable.redis.model.dump;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.util.Optional;
import java.util.OptionalLong;

/** Encodes lengths, strings and numbers in Redis' format. */
final class ValueOutput {
    /** Longer strings are not tried as integers, shorter ones not compressed. */
    private static final int INTEGER_DIGITS_MAX = 11;

    private static final int UNCOMPRESSED_BYTES_MAX = 20;

    /** The bytes that compression must save. */
    private static final int SAVED_BYTES_MIN = 4;

    private final PackedBytes bytes = new PackedBytes(Limits.VALUE_BYTES_MAX);
    private final boolean compresses;

    ValueOutput(boolean compresses) {
        this.compresses = compresses;
    }

    PackedBytes bytes() {
        return bytes;
    }

    ValueOutput type(ValueType type) {
        bytes.add(type.tag());
        return this;
    }

    /** Unsigned. */
    ValueOutput length(long length) {
        if (length >= 0 && length < 1 << 6) {
            bytes.add((int) length);
        } else if (length >= 0 && length < 1 << 14) {
            bytes.bigEndian(length | 0x4000, Short.BYTES);
        } else if (length >= 0 && length <= 0xffffffffL) {
            bytes.add(0x80).bigEndian(length, Integer.BYTES);
        } else {
            bytes.add(0x81).bigEndian(length, Long.BYTES);
        }
        return this;
    }

    ValueOutput string(Bytes value) {
        OptionalLong integer = value.length() <= INTEGER_DIGITS_MAX ? Numbers.parseLong(value) : OptionalLong.empty();
        if (integer.isPresent() && integer.getAsLong() == (int) integer.getAsLong()) {
            return integer((int) integer.getAsLong());
        }
        if (compresses && value.length() > UNCOMPRESSED_BYTES_MAX) {
            Optional<Bytes> compressed = Lzf.compress(value, value.length() - SAVED_BYTES_MIN);
            if (compressed.isPresent()) {
                bytes.add(0xc3);
                length(compressed.get().length()).length(value.length());
                bytes.add(compressed.get());
                return this;
            }
        }
        length(value.length());
        bytes.add(value);
        return this;
    }

    private ValueOutput integer(int value) {
        if (value == (byte) value) {
            bytes.add(0xc0).littleEndian(value, Byte.BYTES);
        } else if (value == (short) value) {
            bytes.add(0xc1).littleEndian(value, Short.BYTES);
        } else {
            bytes.add(0xc2).littleEndian(value, Integer.BYTES);
        }
        return this;
    }

    ValueOutput binaryDouble(double value) {
        bytes.littleEndian(Double.doubleToRawLongBits(value), Long.BYTES);
        return this;
    }

    ValueOutput millis(long time) {
        bytes.littleEndian(time, Long.BYTES);
        return this;
    }

    /** The id's sixteen bytes. */
    ValueOutput rawId(StreamId id) {
        bytes.add(id.bytes());
        return this;
    }

    /** The id's two numbers as lengths. */
    ValueOutput id(StreamId id) {
        return length(id.millis()).length(id.sequence());
    }
}
