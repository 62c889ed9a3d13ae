package io.polytable.table.codec;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads what {@link BytesWriter} wrote. On arbitrary bytes it returns a value or throws {@link StoreError#CORRUPT}: a
 * length is accepted only if so many bytes remain.
 */
public final class BytesReader {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] array;
    private int start;
    private int end;
    private int at;

    public BytesReader(Bytes source) {
        array = source.array();
        start = source.offset();
        end = start + source.length();
        at = start;
    }

    /** Restarts with other bytes, which saves a reader per row. */
    BytesReader moveTo(ByteSlice source) {
        array = source.array();
        start = source.offset();
        end = start + source.length();
        at = start;
        return this;
    }

    public int remaining() {
        return end - at;
    }

    public int u8() {
        require(1);
        return array[at++] & 0xff;
    }

    public int i32() {
        require(4);
        at += 4;
        return (int) INTS.get(array, at - 4);
    }

    public long i64() {
        require(8);
        at += 8;
        return (long) LONGS.get(array, at - 8);
    }

    public long varint() {
        // Mostly one byte; the loop keeps its position in a register.
        int next = at;
        if (next < end && array[next] >= 0) {
            at = next + 1;
            return array[next];
        }
        long value = 0;
        for (int shift = 0; shift < 64 && next < end; shift += 7) {
            int b = array[next++] & 0xff;
            // The tenth byte has space for one bit only.
            if (shift == 63 && b > 1) {
                throw tooManyBits(next);
            }
            value |= (long) (b & 0x7f) << shift;
            if (b < 0x80) {
                at = next;
                return value;
            }
        }
        at = next;
        throw corrupt("Bytes end too early");
    }

    private StoreException tooManyBits(int behind) {
        at = behind;
        return corrupt("A number has too many bits");
    }

    public long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    /** A varint that counts items of at least one byte each, so it cannot exceed the remaining bytes. */
    public int count() {
        long value = varint();
        if (value < 0 || value > remaining()) {
            throw corrupt("A length is larger than what is there");
        }
        return (int) value;
    }

    public Bytes raw(int length) {
        return Bytes.of(array, skip(length), length);
    }

    public Bytes sized() {
        return raw(count());
    }

    public String text() {
        return strictUtf8(sized());
    }

    /** Skips so many bytes and returns their offset in {@link #array()}. */
    int skip(int length) {
        require(length);
        at += length;
        return at - length;
    }

    /** The underlying array. */
    byte[] array() {
        return array;
    }

    /** The offset of the next byte in the array. */
    int at() {
        return at;
    }

    static String strictUtf8(Bytes bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StoreException(StoreError.CORRUPT, "Text is not UTF-8", Map.of("bytes", bytes), e);
        }
    }

    /** Asserts that everything was read. */
    public void end() {
        if (remaining() > 0) {
            throw corrupt("There are bytes behind the end");
        }
    }

    /** The error for bytes that cannot have been written, with their offset. */
    StoreException corrupt(String text) {
        return new StoreException(StoreError.CORRUPT, text, Map.of("at", at - start, "length", end - start));
    }

    private void require(int length) {
        if (end - at < length) {
            throw corrupt("Bytes end too early");
        }
    }
}
