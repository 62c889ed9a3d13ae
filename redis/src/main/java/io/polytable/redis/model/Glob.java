package io.polytable.redis.model;

import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * A glob pattern with Redis' rules, oddities kept: {@code *}, {@code ?}, {@code [a-z]}, {@code [^x]}, {@code \} as
 * escape; bytes of a range compare signed, an unclosed class ends with the pattern, and nothing but the pattern
 * {@code *} itself matches the empty text.
 *
 * <p>The pattern is compiled once into steps, so that KEYS pays one comparison per byte. Matching backtracks to the
 * last star only (whatever an earlier star could have taken, the last one can take as well), so hostile patterns such
 * as {@code *a*a*a*b} cost at most pattern times text.
 *
 * <p>A byte of the steps stands for itself, except the lowest four:
 *
 * <pre>
 * 0   any bytes         2 n   a class, as its n bytes         2 ff   a class, as a bit for each of the 256 bytes
 * 1   any byte          3 b   this byte, one of the lowest four
 * </pre>
 *
 * A class as bits is fast and takes 34 bytes. A long pattern uses bits only for classes whose text is longer: its
 * steps take no more memory than its text, except for bytes that are escaped here but not there.
 */
public final class Glob {
    /** Redis reports no match beyond this many stars; so do we. */
    private static final int STARS_MAX = 1000;

    /**
     * The bytes of one text that we compare for nothing before we report no match: some seconds of work. Redis continues,
     * for hours when a text of one mebibyte meets a pattern as long, and serves nobody meanwhile.
     */
    private static final long WORK_MAX = 1 << 26;

    /** Up to this pattern length all classes are stored as bits. */
    private static final int SHORT_BYTES = 1024;

    /** The heap overhead of the objects around the steps. */
    private static final int OBJECT_BYTES = 64;

    private static final byte STAR = 0;
    private static final byte ANY = 1;
    private static final byte CLASS = 2;
    private static final byte ESCAPE = 3;

    private static final int IN_BITS = 0xff;

    /** The bytes of the step in front of a class' bits or items: its code and its length. */
    private static final int CLASS_HEAD = 2;

    private final byte[] steps;
    private final int end;
    private final boolean ignoreCase;
    private final boolean everything;

    private Glob(Compiler compiler, boolean everything) {
        this.steps = compiler.steps;
        this.end = compiler.count;
        this.ignoreCase = compiler.ignoreCase;
        this.everything = everything;
    }

    public static Glob of(Bytes pattern) {
        return compile(pattern, false);
    }

    /** ASCII letters match in either case, except the escaped ones within a class. */
    public static Glob ignoringCase(Bytes pattern) {
        return compile(pattern, true);
    }

    private static Glob compile(Bytes pattern, boolean ignoreCase) {
        Compiler compiler = new Compiler(pattern, ignoreCase);
        compiler.compile();
        return new Glob(compiler, pattern.length() == 1 && pattern.at(0) == '*');
    }

    /** The heap size of the compiled pattern, or somewhat more. */
    public static long heapBytes(Bytes pattern) {
        long bytes = (long) OBJECT_BYTES + Compiler.capacity(pattern);
        for (int i = 0; pattern.length() <= SHORT_BYTES && i < pattern.length(); i++) {
            bytes += pattern.at(i) == '[' ? CLASS_HEAD + ByteSet.BYTES : 0;
        }
        return bytes;
    }

    private static boolean isLiteral(byte step) {
        return (step & ~ESCAPE) != 0;
    }

    public boolean matches(Bytes text) {
        if (everything) {
            return true;
        }
        if (text.isEmpty()) {
            return end == 0;
        }
        return matchesSome(text);
    }

    private boolean matchesSome(Bytes text) {
        int at = 0;
        int step = 0;
        int afterStar = -1;
        int starEnds = 0;
        int stars = 0;
        long work = 0;
        while (at < text.length()) {
            byte kind = step < end ? steps[step] : STAR;
            int width;
            if (isLiteral(kind)) {
                width = isSame(kind, text.at(at)) ? 1 : 0;
            } else if (kind != STAR) {
                width = width(step, text.at(at));
            } else if (step < end) {
                afterStar = ++step;
                if (step == end) {
                    return true;
                }
                if (++stars > STARS_MAX) {
                    return false;
                }
                starEnds = candidate(text, at, step);
                at = starEnds;
                continue;
            } else {
                width = 0;
            }
            if (width > 0) {
                step += width;
                at++;
            } else {
                if (afterStar < 0 || work > WORK_MAX) {
                    return false;
                }
                work += at - starEnds + 1;
                step = afterStar;
                starEnds = candidate(text, starEnds + 1, step);
                at = starEnds;
            }
        }
        return step == end || (step == end - 1 && steps[step] == STAR);
    }

    /** The first position in the text at which the step may match: what a star must take at least. */
    private int candidate(Bytes text, int from, int step) {
        byte wanted = steps[step];
        int at = from;
        if (isLiteral(wanted) && !ignoreCase) {
            while (at < text.length() && text.at(at) != wanted) {
                at++;
            }
        }
        return at;
    }

    /** The step's width in bytes if it accepts the byte, else zero. The step is neither a star nor a literal. */
    private int width(int step, byte b) {
        if (steps[step] == ANY) {
            return 1;
        }
        if (steps[step] == ESCAPE) {
            return steps[step + 1] == b ? 2 : 0;
        }
        return classWidth(step, b);
    }

    private boolean isSame(byte wanted, byte b) {
        return wanted == b || (ignoreCase && wanted == ByteSet.lowerCase(b));
    }

    private int classWidth(int step, byte b) {
        int length = steps[step + 1] & 0xff;
        if (length == IN_BITS) {
            return ByteSet.contains(steps, step + CLASS_HEAD, b) ? CLASS_HEAD + ByteSet.BYTES : 0;
        }
        Bytes items = Bytes.of(steps, step + CLASS_HEAD, length);
        return setOf(items, ignoreCase).contains(b) ? CLASS_HEAD + length : 0;
    }

    /** The set of a class, given without its brackets. */
    private static ByteSet setOf(Bytes items, boolean ignoreCase) {
        ByteSet set = new ByteSet();
        boolean negated = !items.isEmpty() && items.at(0) == '^';
        int at = negated ? 1 : 0;
        while (at < items.length()) {
            int next = afterItem(items, at);
            byte b = items.at(at);
            if (next - at == 2) {
                set.add(items.at(at + 1));
            } else if (next - at == 3) {
                set.addRange(b, items.at(at + 2), ignoreCase);
            } else if (ignoreCase) {
                set.addEitherCase(b);
            } else {
                set.add(b);
            }
            at = next;
        }
        if (negated) {
            set.negate();
        }
        return set;
    }

    /**
     * The end of the class item that starts here: an escaped byte takes two bytes, a range three, any other item one.
     */
    private static int afterItem(Bytes text, int at) {
        int left = text.length() - at - 1;
        if (text.at(at) == '\\' && left >= 1) {
            return at + 2;
        }
        return left >= 2 && text.at(at + 1) == '-' ? at + 3 : at + 1;
    }

    private static final class Compiler {
        private final Bytes pattern;
        private final boolean ignoreCase;
        private final boolean isShort;
        private byte[] steps;
        private int count;
        private int afterStar;
        private int at;

        Compiler(Bytes pattern, boolean ignoreCase) {
            this.pattern = pattern;
            this.ignoreCase = ignoreCase;
            this.isShort = pattern.length() <= SHORT_BYTES;
            this.steps = new byte[capacity(pattern)];
        }

        /** Enough for all steps except classes whose bits are longer than their text. */
        static int capacity(Bytes pattern) {
            // An unclosed class takes one byte more than its text.
            int bytes = pattern.length() + 1;
            for (int i = 0; i < pattern.length(); i++) {
                bytes += isLiteral(pattern.at(i)) ? 0 : 1;
            }
            return bytes;
        }

        void compile() {
            while (at < pattern.length()) {
                byte b = pattern.at(at++);
                switch (b) {
                    case '*' -> addStar();
                    case '?' -> add(ANY);
                    case '[' -> addClass();
                    case '\\' -> addLiteral(at < pattern.length() ? pattern.at(at++) : b);
                    default -> addLiteral(b);
                }
            }
            if (isShort) {
                steps = Arrays.copyOf(steps, count);
            }
        }

        private void add(byte b) {
            grow(1);
            steps[count++] = b;
        }

        private void addStar() {
            if (count == 0 || count > afterStar) {
                add(STAR);
                afterStar = count;
            }
        }

        private void addLiteral(byte b) {
            if (!isLiteral(b)) {
                add(ESCAPE);
            }
            add(ignoreCase ? ByteSet.lowerCase(b) : b);
        }

        /** Adds a class up to its closing bracket, which may be missing. */
        private void addClass() {
            int start = at;
            if (at < pattern.length() && pattern.at(at) == '^') {
                at++;
            }
            while (at < pattern.length() && pattern.at(at) != ']') {
                at = afterItem(pattern, at);
            }
            int length = at - start;
            boolean inBits = isShort || length >= ByteSet.BYTES;
            int width = inBits ? ByteSet.BYTES : length;
            grow(CLASS_HEAD + width);
            steps[count++] = CLASS;
            steps[count++] = (byte) (inBits ? IN_BITS : width);
            if (inBits) {
                setOf(pattern.slice(start, at), ignoreCase).copyTo(steps, count);
            } else {
                System.arraycopy(pattern.array(), pattern.offset() + start, steps, count, length);
            }
            count += width;
            at++;
        }

        /** Needed only for the classes of a short pattern. */
        private void grow(int more) {
            if (steps.length - count < more) {
                steps = Arrays.copyOf(steps, steps.length * 2 + more);
            }
        }
    }
}
