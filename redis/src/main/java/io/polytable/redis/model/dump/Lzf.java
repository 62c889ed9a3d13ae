package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.packing.PackedInput;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.Optional;

/**
 * The LZF compression of long strings in Redis' format: literal runs, and references to bytes up to 8192 bytes
 * before.
 *
 * <pre>
 * 000lllll                       the next l + 1 bytes
 * lllooooo oooooooo              l + 2 bytes from o + 1 bytes before, l from 1 to 6
 * 111ooooo llllllll oooooooo     l + 9 bytes from o + 1 bytes before
 * </pre>
 */
final class Lzf {
    private static final int RUN_MAX = 32;
    private static final int DISTANCE_MAX = 1 << 13;
    private static final int MATCH_MIN = 3;
    private static final int MATCH_MAX = 264;
    private static final int HASH_BITS_MAX = 14;

    /** The number of bytes that a reference of three bytes can stand for. */
    private static final int EXPANSION_MAX = MATCH_MAX;

    private final byte[] in;
    private final int end;
    private final byte[] out;
    private int size;

    private Lzf(Bytes in, int outMax) {
        this.in = in.array();
        this.end = in.offset() + in.length();
        this.out = new byte[outMax];
    }

    /** Empty when it would take more bytes than allowed. */
    static Optional<Bytes> compress(Bytes bytes, int outMax) {
        Lzf lzf = new Lzf(bytes, outMax);
        return lzf.compress(bytes.offset()) ? Optional.of(Bytes.of(lzf.out, 0, lzf.size)) : Optional.empty();
    }

    private boolean compress(int start) {
        int hashBits = Math.min(HASH_BITS_MAX, Integer.SIZE - Integer.numberOfLeadingZeros(end - start));
        int[] seen = new int[1 << hashBits];
        Arrays.fill(seen, -1);
        int at = start;
        int pending = start;
        while (at + MATCH_MIN <= end) {
            int hash = (((in[at] & 0xff) << 16 | (in[at + 1] & 0xff) << 8 | (in[at + 2] & 0xff)) * 0x9e3779b1)
                    >>> (Integer.SIZE - hashBits);
            int before = seen[hash];
            seen[hash] = at;
            int match = before < 0 || at - before > DISTANCE_MAX ? 0 : matchLength(before, at);
            if (match < MATCH_MIN) {
                at++;
                continue;
            }
            if (!addRuns(pending, at) || !addReference(match, at - before - 1)) {
                return false;
            }
            at += match;
            pending = at;
        }
        return addRuns(pending, end);
    }

    private int matchLength(int before, int at) {
        int most = Math.min(MATCH_MAX, end - at);
        int length = 0;
        while (length < most && in[before + length] == in[at + length]) {
            length++;
        }
        return length;
    }

    private boolean addRuns(int from, int to) {
        for (int at = from; at < to; at += RUN_MAX) {
            int length = Math.min(RUN_MAX, to - at);
            if (size + 1 + length > out.length) {
                return false;
            }
            out[size++] = (byte) (length - 1);
            System.arraycopy(in, at, out, size, length);
            size += length;
        }
        return true;
    }

    private boolean addReference(int length, int offset) {
        if (size + 3 > out.length) {
            return false;
        }
        int more = length - 2;
        if (more < 7) {
            out[size++] = (byte) (more << 5 | offset >> 8);
        } else {
            out[size++] = (byte) (7 << 5 | offset >> 8);
            out[size++] = (byte) (more - 7);
        }
        out[size++] = (byte) offset;
        return true;
    }

    /**
     * The decompressed bytes.
     *
     * @throws MalformedPacking when their number differs from the length
     */
    static Bytes decompress(Bytes packed, long length, int lengthMax) {
        checkLength(packed, length, lengthMax);
        PackedInput in = new PackedInput(packed);
        byte[] out = new byte[(int) length];
        int size = 0;
        while (in.left() > 0) {
            int control = in.next();
            if (control < RUN_MAX) {
                Bytes run = in.take(control + 1);
                checkRoom(out, size, run.length());
                run.copyTo(out, size);
                size += run.length();
            } else {
                int count = (control >> 5) + 2;
                count += count == 9 ? in.next() : 0;
                int from = size - ((control & 0x1f) << 8 | in.next()) - 1;
                checkRoom(out, size, count);
                if (from < 0) {
                    throw new MalformedPacking("a compressed string refers to what is not there");
                }
                // One by one: the source may overlap what is written.
                for (int i = 0; i < count; i++) {
                    out[size + i] = out[from + i];
                }
                size += count;
            }
        }
        if (size != out.length) {
            throw new MalformedPacking("a compressed string is too short");
        }
        return Bytes.of(out);
    }

    /** Refuses an impossible length before a buffer of that size is allocated. */
    static void checkLength(Bytes packed, long length, long lengthMax) {
        if (length <= 0 || length > lengthMax || length > (long) packed.length() * EXPANSION_MAX) {
            throw new MalformedPacking("a compressed string's length is wrong");
        }
    }

    private static void checkRoom(byte[] out, int size, int more) {
        if (size + more > out.length) {
            throw new MalformedPacking("a compressed string is too long");
        }
    }
}
