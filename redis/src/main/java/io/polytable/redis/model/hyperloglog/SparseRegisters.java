package io.polytable.redis.model.hyperloglog;

import java.util.Arrays;
import java.util.StringJoiner;

/**
 * Registers as runs of equal values, after a sketch's header:
 *
 * <pre>
 * 00llllll            l+1 registers are zero
 * 01llllll llllllll   l+1 registers are zero
 * 1vvvvvll            l+1 registers are v+1
 * </pre>
 *
 * <p>Splitting and joining runs when a register rises is visible in the bytes, so it is done as in Redis.
 */
final class SparseRegisters {
    static final int VALUE_MAX = 32;

    private static final int VALUE_RUN_MAX = 4;
    private static final int SHORT_ZEROS_MAX = 64;
    private static final int LONG_ZEROS = 0x40;
    private static final int VALUE = 0x80;

    /** The number of runs around the changed register to examine for equal neighbours. */
    private static final int JOINED_RUNS_MAX = 5;

    private byte[] bytes;
    private int length;

    /** The result of raising a register. */
    enum Outcome {
        RAISED,
        HIGH_ENOUGH,
        /** It would take more bytes than allowed; nothing changed. */
        TOO_LONG
    }

    /** Visits a run of registers of the same rank. */
    @FunctionalInterface
    interface RunVisitor {
        void visit(int first, int count, int rank);
    }

    SparseRegisters(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /**
     * Visits all runs.
     *
     * @throws io.polytable.redis.model.RedisError when they do not add up to all registers
     */
    void forEachRun(RunVisitor visitor) {
        int first = 0;
        int at = Sketch.HEADER_BYTES;
        while (at < length) {
            checkWhole(at);
            int count = count(at);
            if (first + count > Sketch.REGISTERS) {
                throw Sketch.corrupt();
            }
            visitor.visit(first, count, rank(at));
            first += count;
            at += size(at);
        }
        if (first != Sketch.REGISTERS) {
            throw Sketch.corrupt();
        }
    }

    private void checkWhole(int at) {
        if (at + size(at) > length) {
            throw Sketch.corrupt();
        }
    }

    private boolean isValue(int at) {
        return bytes[at] < 0;
    }

    private int size(int at) {
        return !isValue(at) && (bytes[at] & LONG_ZEROS) != 0 ? 2 : 1;
    }

    private int count(int at) {
        if (isValue(at)) {
            return (bytes[at] & 0x3) + 1;
        }
        int low = bytes[at] & 0x3f;
        return size(at) == 2 ? ((low << Byte.SIZE) | (bytes[at + 1] & 0xff)) + 1 : low + 1;
    }

    private int rank(int at) {
        return isValue(at) ? ((bytes[at] >>> 2) & 0x1f) + 1 : 0;
    }

    private static void putValue(byte[] target, int at, int rank, int count) {
        target[at] = (byte) (((rank - 1) << 2) | (count - 1) | VALUE);
    }

    /** Writes a run of zeros; answers its size in bytes. */
    static int putZeros(byte[] target, int at, int count) {
        if (count <= SHORT_ZEROS_MAX) {
            target[at] = (byte) (count - 1);
            return 1;
        }
        target[at] = (byte) (((count - 1) >>> Byte.SIZE) | LONG_ZEROS);
        target[at + 1] = (byte) (count - 1);
        return 2;
    }

    Outcome raise(int register, int rank, int bytesMax) {
        int at = Sketch.HEADER_BYTES;
        int before = at;
        int first = 0;
        while (true) {
            if (at >= length) {
                throw Sketch.corrupt();
            }
            checkWhole(at);
            if (register < first + count(at)) {
                break;
            }
            first += count(at);
            before = at;
            at += size(at);
        }
        if (rank(at) >= rank) {
            return Outcome.HIGH_ENOUGH;
        }
        if (count(at) == 1 && size(at) == 1) {
            putValue(bytes, at, rank, 1);
        } else if (!split(at, register - first, rank, bytesMax)) {
            return Outcome.TOO_LONG;
        }
        join(before);
        return Outcome.RAISED;
    }

    /** Replaces the run by up to three: before the register, the register, and after it. */
    private boolean split(int at, int offset, int rank, int bytesMax) {
        byte[] runs = new byte[JOINED_RUNS_MAX];
        int behind = count(at) - offset - 1;
        int used = putRun(runs, 0, rank(at), offset);
        putValue(runs, used++, rank, 1);
        used += putRun(runs, used, rank(at), behind);
        int old = size(at);
        int grown = length + used - old;
        if (used > old && grown > bytesMax) {
            return false;
        }
        byte[] next = grown > bytes.length ? Arrays.copyOf(bytes, grown + grown / 4) : bytes;
        System.arraycopy(bytes, at + old, next, at + used, length - at - old);
        System.arraycopy(runs, 0, next, at, used);
        bytes = next;
        length = grown;
        return true;
    }

    private static int putRun(byte[] runs, int at, int rank, int count) {
        if (count == 0) {
            return 0;
        }
        if (rank == 0) {
            return putZeros(runs, at, count);
        }
        putValue(runs, at, rank, count);
        return 1;
    }

    private void join(int from) {
        int at = from;
        for (int looked = 0; at < length && looked < JOINED_RUNS_MAX; looked++) {
            if (!isValue(at)) {
                at += size(at);
                continue;
            }
            int next = at + 1;
            if (next < length && isValue(next) && rank(at) == rank(next)) {
                int count = count(at) + count(next);
                if (count <= VALUE_RUN_MAX) {
                    putValue(bytes, next, rank(at), count);
                    System.arraycopy(bytes, next, bytes, at, length - next);
                    length--;
                    // The joined run may be joined with the next one.
                    continue;
                }
            }
            at++;
        }
    }

    /** In the format of PFDEBUG DECODE. */
    String text() {
        StringJoiner text = new StringJoiner(" ");
        for (int at = Sketch.HEADER_BYTES; at < length; at += size(at)) {
            checkWhole(at);
            if (isValue(at)) {
                text.add("v:" + rank(at) + "," + count(at));
            } else {
                text.add((size(at) == 2 ? "Z:" : "z:") + count(at));
            }
        }
        return text.toString();
    }
}
