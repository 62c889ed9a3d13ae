package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers in keys: unsigned byte order is then numeric order. */
public final class BigEndian {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {}

    public static long longAt(Bytes bytes, int at) {
        checkRoom(bytes, at, Long.BYTES);
        return (long) LONGS.get(bytes.array(), bytes.offset() + at);
    }

    public static void putLong(byte[] target, int at, long value) {
        LONGS.set(target, at, value);
    }

    public static int intAt(Bytes bytes, int at) {
        checkRoom(bytes, at, Integer.BYTES);
        return (int) INTS.get(bytes.array(), bytes.offset() + at);
    }

    static void putInt(byte[] target, int at, int value) {
        INTS.set(target, at, value);
    }

    /** The array may be larger than the bytes: without this check a short row would read its neighbour's bytes. */
    private static void checkRoom(Bytes bytes, int at, int width) {
        if (bytes.length() - at < width) {
            throw new IndexOutOfBoundsException(width + " bytes at " + at + " of " + bytes.length());
        }
    }
}
