package io.polytable.redis.model.string;

import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The longest common subsequence of two strings; of several, the one that Redis finds. Going back from both ends, it
 * takes equal bytes; otherwise it shortens the second string unless shortening the first keeps more.
 *
 * <p>Redis keeps the whole table of lengths, four bytes per cell. The way back needs only to know which of two
 * neighbours is longer, so we keep one bit per cell and one row of lengths. The bound on the table is Redis' all the
 * same.
 */
public final class CommonSubsequence {
    private static final long CELLS_MAX = Limits.STRING_BYTES_MAX / Integer.BYTES;

    private final Bytes a;
    private final Bytes b;
    private final int length;

    /** For each cell whether to shorten the first string; empty when only the length is wanted. */
    private final long[] steps;

    /** A run of bytes that both strings have in common; ends inclusive. */
    public record Match(int firstInA, int lastInA, int firstInB, int lastInB) {
        public int length() {
            return lastInA - firstInA + 1;
        }
    }

    private CommonSubsequence(Bytes a, Bytes b, boolean withSteps) {
        if ((a.length() + 1L) * (b.length() + 1L) > CELLS_MAX) {
            throw new RedisError("Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
        }
        this.a = a;
        this.b = b;
        this.steps = new long[withSteps ? (int) ((long) a.length() * b.length() / Long.SIZE) + 1 : 0];
        // The row of lengths runs along the shorter string: the longer one may have millions of bytes.
        this.length = a.length() >= b.length() ? fillAlongB() : fillAlongA();
    }

    /** Finds the subsequence itself. */
    public static CommonSubsequence of(Bytes a, Bytes b) {
        return new CommonSubsequence(a, b, true);
    }

    /** Finds only its length, with less memory. */
    public static int length(Bytes a, Bytes b) {
        return new CommonSubsequence(a, b, false).length;
    }

    public int length() {
        return length;
    }

    private int fillAlongB() {
        int[] row = new int[b.length() + 1];
        for (int i = 0; i < a.length(); i++) {
            int diagonal = 0;
            for (int j = 0; j < b.length(); j++) {
                int above = row[j + 1];
                if (a.at(i) == b.at(j)) {
                    row[j + 1] = diagonal + 1;
                } else {
                    row[j + 1] = longer(i, j, above, row[j]);
                }
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    private int fillAlongA() {
        int[] column = new int[a.length() + 1];
        for (int j = 0; j < b.length(); j++) {
            int diagonal = 0;
            for (int i = 0; i < a.length(); i++) {
                int left = column[i + 1];
                if (a.at(i) == b.at(j)) {
                    column[i + 1] = diagonal + 1;
                } else {
                    column[i + 1] = longer(i, j, column[i], left);
                }
                diagonal = left;
            }
        }
        return column[a.length()];
    }

    private int longer(int i, int j, int withoutA, int withoutB) {
        if (withoutA <= withoutB) {
            return withoutB;
        }
        if (steps.length > 0) {
            long cell = cell(i, j);
            steps[(int) (cell >>> 6)] |= 1L << cell;
        }
        return withoutA;
    }

    private long cell(int i, int j) {
        return (long) i * b.length() + j;
    }

    private boolean shortensA(int i, int j) {
        long cell = cell(i, j);
        return (steps[(int) (cell >>> 6)] & (1L << cell)) != 0;
    }

    /** The matches of at least that length, from the last to the first, as Redis lists them. */
    public List<Match> matches(long lengthMin) {
        List<Match> matches = new ArrayList<>();
        int i = a.length() - 1;
        int j = b.length() - 1;
        int run = 0;
        while (i >= 0 && j >= 0) {
            boolean equal = a.at(i) == b.at(j);
            if (equal) {
                run++;
                i--;
                j--;
            }
            boolean ends = !equal || i < 0 || j < 0;
            if (ends && run > 0) {
                if (run >= lengthMin) {
                    matches.add(new Match(i + 1, i + run, j + 1, j + run));
                }
                run = 0;
            }
            if (!equal) {
                if (shortensA(i, j)) {
                    i--;
                } else {
                    j--;
                }
            }
        }
        return matches;
    }

    public Bytes text() {
        byte[] text = new byte[length];
        int at = 0;
        List<Match> forward = matches(0);
        Collections.reverse(forward);
        for (Match match : forward) {
            a.slice(match.firstInA, match.lastInA + 1).copyTo(text, at);
            at += match.length();
        }
        return Bytes.of(text);
    }
}
