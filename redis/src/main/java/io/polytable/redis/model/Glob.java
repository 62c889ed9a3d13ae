package io.polytable.redis.model;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A glob pattern with Redis' rules, oddities kept: {@code *}, {@code ?}, {@code [a-z]}, {@code [^x]}, {@code \} as
 * escape; bytes of a range compare signed, an unclosed class ends with the pattern, and nothing but the pattern
 * {@code *} itself matches the empty text.
 *
 * <p>The pattern is compiled once, so that KEYS pays a look into a table per byte. Matching needs only the last star to
 * come back to (whatever an earlier star could have taken, the last one can take as well), so that hostile patterns
 * such as {@code *a*a*a*b} cost pattern times text at most.
 */
public final class Glob {
    /** Redis gives up beyond so many stars; we refuse what it refuses. */
    private static final int STARS_MAX = 1000;

    private static final int ANY = 256;
    private static final int STAR = 257;
    private static final int FIRST_SET = 258;

    /** A byte to equal, ANY, STAR, or FIRST_SET plus an index into the sets. */
    private final int[] steps;

    private final List<ByteSet> sets;
    private final boolean everything;

    private Glob(int[] steps, List<ByteSet> sets, boolean everything) {
        this.steps = steps;
        this.sets = sets;
        this.everything = everything;
    }

    public static Glob of(Bytes pattern) {
        return new Compiler(pattern, false).compile();
    }

    /** ASCII letters match in either case, except the escaped ones within a class. */
    public static Glob ignoringCase(Bytes pattern) {
        return new Compiler(pattern, true).compile();
    }

    /** Whether the pattern is just a star: the caller need not ask for each text. */
    public boolean isEverything() {
        return everything;
    }

    /** What every match starts with; a scan can be cut to it. */
    public Bytes prefix() {
        int end = 0;
        while (end < steps.length && steps[end] < ANY) {
            end++;
        }
        byte[] prefix = new byte[end];
        for (int i = 0; i < end; i++) {
            prefix[i] = (byte) steps[i];
        }
        return Bytes.of(prefix);
    }

    public boolean matches(Bytes text) {
        if (everything) {
            return true;
        }
        if (text.isEmpty()) {
            return steps.length == 0;
        }
        return matchesSome(text);
    }

    private boolean matchesSome(Bytes text) {
        int at = 0;
        int step = 0;
        int afterStar = -1;
        int starEnds = 0;
        int stars = 0;
        while (at < text.length()) {
            if (step < steps.length && steps[step] == STAR) {
                if (step == steps.length - 1) {
                    return true;
                }
                if (++stars > STARS_MAX) {
                    return false;
                }
                afterStar = ++step;
                starEnds = at;
            } else if (step < steps.length && accepts(steps[step], text.at(at))) {
                step++;
                at++;
            } else if (afterStar >= 0) {
                step = afterStar;
                at = ++starEnds;
            } else {
                return false;
            }
        }
        return step == steps.length || (step == steps.length - 1 && steps[step] == STAR);
    }

    private boolean accepts(int step, byte b) {
        if (step < ANY) {
            return (byte) step == b;
        }
        return step == ANY || sets.get(step - FIRST_SET).contains(b);
    }

    private static final class Compiler {
        private final Bytes pattern;
        private final boolean ignoreCase;
        private final List<ByteSet> sets = new ArrayList<>();
        private int[] steps = new int[16];
        private int count;
        private int at;

        Compiler(Bytes pattern, boolean ignoreCase) {
            this.pattern = pattern;
            this.ignoreCase = ignoreCase;
        }

        Glob compile() {
            boolean everything = pattern.length() == 1 && pattern.at(0) == '*';
            while (at < pattern.length()) {
                byte b = pattern.at(at++);
                switch (b) {
                    case '*' -> addStar();
                    case '?' -> add(ANY);
                    case '[' -> add(set());
                    case '\\' -> addLiteral(at < pattern.length() ? pattern.at(at++) : b);
                    default -> addLiteral(b);
                }
            }
            return new Glob(Arrays.copyOf(steps, count), sets, everything);
        }

        private void addStar() {
            if (count == 0 || steps[count - 1] != STAR) {
                add(STAR);
            }
        }

        private void addLiteral(byte b) {
            if (ignoreCase && ByteSet.isLetter(b)) {
                ByteSet both = new ByteSet();
                both.addEitherCase(b);
                add(stepOf(both));
            } else {
                add(b & 0xff);
            }
        }

        private void add(int step) {
            if (count == steps.length) {
                steps = Arrays.copyOf(steps, count * 2);
            }
            steps[count++] = step;
        }

        private int stepOf(ByteSet set) {
            sets.add(set);
            return FIRST_SET + sets.size() - 1;
        }

        /** Reads a class up to its closing bracket, which may be missing. */
        private int set() {
            ByteSet set = new ByteSet();
            boolean negated = at < pattern.length() && pattern.at(at) == '^';
            if (negated) {
                at++;
            }
            while (at < pattern.length() && pattern.at(at) != ']') {
                addItem(set);
            }
            at++;
            if (negated) {
                set.negate();
            }
            return stepOf(set);
        }

        private void addItem(ByteSet set) {
            byte b = pattern.at(at++);
            int left = pattern.length() - at;
            if (b == '\\' && left >= 1) {
                set.add(pattern.at(at++));
            } else if (left >= 2 && pattern.at(at) == '-') {
                set.addRange(b, pattern.at(at + 1), ignoreCase);
                at += 2;
            } else if (ignoreCase) {
                set.addEitherCase(b);
            } else {
                set.add(b);
            }
        }
    }
}
