package io.polytable.store.memory.flat;

import io.polytable.table.write.EncodedRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/** A fast 64-bit hash of a table's key. The seed is random per process, so clients cannot craft colliding keys. */
public final class Hash {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = new SecureRandom().nextLong();
    private static final long A = 0x9E3779B97F4A7C15L;
    private static final long B = 0xD6E8FEB86659FD93L;

    private Hash() {}

    public static long of(EncodedRow row) {
        return of(row.table(), row.array(), row.keyOffset(), row.keyLength());
    }

    public static long of(int table, byte[] bytes, int offset, int length) {
        long hash = SEED ^ (table * A) ^ length;
        int at = offset;
        int end = offset + length;
        for (; at + 8 <= end; at += 8) {
            hash = mix(hash ^ (long) LONG.get(bytes, at));
        }
        if (at < end) {
            hash = mix(hash ^ tail(bytes, at, end));
        }
        return mix(hash);
    }

    private static long tail(byte[] bytes, int from, int end) {
        long tail = 0;
        for (int at = from; at < end; at++) {
            tail = (tail << 8) | (bytes[at] & 0xff);
        }
        return tail;
    }

    private static long mix(long value) {
        long high = Math.multiplyHigh(value, B);
        long low = value * B;
        return (high ^ low) + A;
    }
}
