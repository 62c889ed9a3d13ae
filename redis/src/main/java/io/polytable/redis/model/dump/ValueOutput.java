package io.polytable.redis.model.dump;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Encodes lengths, strings and numbers in Redis' format, for a payload or, with a sink, for a file of any size. */
public final class ValueOutput {
    /** What is collected before it goes to the sink. */
    private static final int DRAINED_BYTES_MIN = 1 << 16;

    /** Longer strings are not tried as integers, shorter ones not compressed. */
    private static final int INTEGER_DIGITS_MAX = 11;

    private static final int UNCOMPRESSED_BYTES_MAX = 20;

    /** The bytes that compression must save. */
    private static final int SAVED_BYTES_MIN = 4;

    private final PackedBytes bytes = new PackedBytes(Limits.VALUE_BYTES_MAX);
    private final boolean compresses;
    private final @Nullable Consumer<Bytes> sink;
    private @Nullable Bytes name;

    /** Collects a payload. */
    ValueOutput(boolean compresses) {
        this.compresses = compresses;
        this.sink = null;
    }

    /** Writes to the sink, which does not keep what it is given. */
    public ValueOutput(boolean compresses, Consumer<Bytes> sink) {
        this.compresses = compresses;
        this.sink = sink;
    }

    PackedBytes bytes() {
        return bytes;
    }

    /** Whether values of any size may be written: nothing of them is collected. */
    boolean isStream() {
        return sink != null;
    }

    /** To be called between elements, so that a stream collects no more than one. */
    public void pause() {
        if (sink != null && bytes.size() >= DRAINED_BYTES_MIN) {
            drain();
        }
    }

    /** Hands everything to the sink. */
    public void drain() {
        Consumer<Bytes> target = sink;
        if (target != null) {
            target.accept(bytes.toBytes());
            bytes.clear();
        }
    }

    /** The key that stands between the type and the value, as in files. */
    public void name(Bytes key) {
        name = key;
    }

    public ValueOutput opcode(int code) {
        bytes.add(code);
        return this;
    }

    /** Writes bytes as they are. */
    public ValueOutput raw(Bytes some) {
        bytes.add(some);
        return this;
    }

    ValueOutput type(ValueType type) {
        bytes.add(type.tag());
        Bytes key = name;
        if (key != null) {
            name = null;
            string(key);
        }
        return this;
    }

    /** Unsigned. */
    public ValueOutput length(long length) {
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

    public ValueOutput string(Bytes value) {
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

    public ValueOutput millis(long time) {
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
