package io.polytable.redis.model.bitmap;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.redis.model.string.OpenString;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Operations on bitmaps: strings as bits, in one row or in segments (see {@link OpenString}). */
public final class Bitmaps {
    private static final KeyEvent SET = new KeyEvent(EventClass.STRING, "set");
    private static final KeyEvent SETBIT = new KeyEvent(EventClass.STRING, "setbit");

    /** How BITOP combines its sources. */
    public enum Operation {
        AND,
        OR,
        XOR,
        NOT
    }

    /**
     * A part of a string, from one index to another, both included; negative indexes count from the end.
     *
     * @param inBits whether the indexes count bits rather than bytes
     */
    public record Part(long first, long last, boolean inBits) {
        public static final Part WHOLE = new Part(0, -1, false);

        /** Whether it ends before it begins, whatever the length. */
        public boolean isBackwards() {
            return first < 0 && last < 0 && first > last;
        }

        private BitRange of(long bytes) {
            long length = inBits ? 8 * bytes : bytes;
            long from = Math.max(0, first < 0 ? length + first : first);
            long to = Math.min(length - 1, Math.max(0, last < 0 ? length + last : last));
            if (length == 0 || from > to) {
                return new BitRange(0, -1);
            }
            return inBits ? new BitRange(from, to) : new BitRange(8 * from, 8 * to + 7);
        }
    }

    /** One step of BITFIELD. */
    public sealed interface Step {
        BitField field();

        long offset();

        /** Answers the value. */
        record Get(BitField field, long offset) implements Step {}

        /** Replaces the value and answers the old one. */
        record Set(BitField field, long offset, long value, BitField.Overflow overflow) implements Step {}

        /** Adds to the value and answers the sum. */
        record Increment(BitField field, long offset, long by, BitField.Overflow overflow) implements Step {}
    }

    public int get(Space space, Bytes key, long offset) {
        return bit(OpenString.of(space, key), offset);
    }

    private static int bit(OpenString string, long offset) {
        return BitRange.bit(string.read(offset >>> 3, 1), offset & 7);
    }

    /** Sets the bit, padding with zeros up to it, and answers the old bit. */
    public int set(Space space, Bytes key, long offset, int bit) {
        OpenString string = OpenString.of(space, key);
        int old = bit(string, offset);
        if (old != bit || string.length() <= offset >>> 3) {
            byte[] changed = string.read(offset >>> 3, 1);
            new BitField(false, 1).set(changed, offset & 7, bit);
            string.write(offset >>> 3, Bytes.of(changed));
            string.save();
            space.changed(key, SETBIT);
        } else {
            string.makeRaw();
        }
        return old;
    }

    public long count(Space space, Bytes key, Part part) {
        return count(space, key, () -> part);
    }

    /** As {@link #count(Space, Bytes, Part)}; as in Redis, the part is read only if the key holds a string. */
    public long count(Space space, Bytes key, Supplier<Part> wanted) {
        OpenString string = OpenString.of(space, key);
        if (!string.isPresent()) {
            return 0;
        }
        Part part = wanted.get();
        if (part.isBackwards()) {
            return 0;
        }
        BitRange range = part.of(string.length());
        Optional<Segments> segments = string.segments();
        return segments.isPresent()
                ? new SegmentBits(segments.get(), range).count()
                : range.count(string.row().orElseThrow());
    }

    public long find(Space space, Bytes key, int bit, Part part, boolean hasEnd) {
        return find(space, key, bit, () -> part, hasEnd);
    }

    /**
     * The position of the first such bit; without an end the string counts as followed by zeros. As in Redis, the part
     * is read only if the key holds a string.
     */
    public long find(Space space, Bytes key, int bit, Supplier<Part> wanted, boolean hasEnd) {
        OpenString string = OpenString.of(space, key);
        if (!string.isPresent()) {
            return bit == 1 ? -1 : 0;
        }
        BitRange range = wanted.get().of(string.length());
        Optional<Segments> segments = string.segments();
        long found = segments.isPresent()
                ? new SegmentBits(segments.get(), range).find(bit)
                : range.find(string.row().orElseThrow(), bit);
        boolean zeroBehind = found < 0 && bit == 0 && !hasEnd && !range.isEmpty();
        return zeroBehind ? range.last() + 1 : found;
    }

    /** Sets the target to the combination of the sources, shorter ones padded with zeros; answers its length. */
    public long combine(Space space, Operation operation, Bytes target, List<Bytes> sources) {
        try (Combination combination = new Combination(operation)) {
            for (Bytes source : sources) {
                OpenString string = OpenString.of(space, source);
                if (!string.isPresent()) {
                    space.missed(source);
                }
                combination.add(string);
            }
            long length = combination.length();
            if (length == 0) {
                boolean unused = space.remove(target);
                return 0;
            }
            if (length <= OpenString.ONE_ROW_BYTES_MAX) {
                space.putString(target, combination.whole(), Header.NEVER, StringHeader.Form.RAW);
            } else {
                CollectionHeader result = combination.write(space, target);
                space.put(target, result);
            }
            space.changed(target, SET);
            return length;
        }
    }

    /**
     * Runs the steps in order, each on the result of those before it; absent where one failed. As in Redis, the key
     * counts as changed when a step wrote another value, or any value into a string that had to grow.
     */
    public List<OptionalLong> fields(Space space, Bytes key, List<Step> steps) {
        OpenString string = OpenString.of(space, key);
        long bits = 0;
        for (Step step : steps) {
            if (!(step instanceof Step.Get)) {
                bits = Math.max(bits, step.offset() + step.field().bits());
            }
        }
        if (bits == 0 && !string.isPresent()) {
            space.missed(key);
        }
        long least = (bits + 7) >>> 3;
        boolean grows = least > string.length();
        if (grows) {
            string.growTo(least);
        }
        List<OptionalLong> answers = new ArrayList<>(steps.size());
        boolean writes = false;
        boolean changes = false;
        for (Step step : steps) {
            Outcome outcome = run(step, string);
            answers.add(outcome.answer);
            writes |= !(step instanceof Step.Get) && outcome.answer.isPresent();
            changes |= outcome.changed;
        }
        if (grows || changes) {
            string.save();
        } else if (bits > 0) {
            string.makeRaw();
        }
        if (changes || (grows && writes)) {
            space.changed(key, SETBIT);
        }
        return answers;
    }

    /** The answer of a step, and whether it changed its field's value. */
    private record Outcome(OptionalLong answer, boolean changed) {}

    /** Runs the step on the few bytes that contain its field. */
    private static Outcome run(Step step, OpenString string) {
        long from = step.offset() >>> 3;
        int inByte = (int) (step.offset() & 7);
        byte[] bytes = string.read(from, (inByte + step.field().bits() + 7) >>> 3);
        Outcome outcome = run(step, bytes, inByte);
        if (outcome.changed) {
            string.write(from, Bytes.of(bytes));
        }
        return outcome;
    }

    private static Outcome run(Step step, byte[] string, int offset) {
        long old = step.field().get(string, offset);
        if (step instanceof Step.Get) {
            return new Outcome(OptionalLong.of(old), false);
        }
        OptionalLong next;
        if (step instanceof Step.Set set) {
            next = set.field().sum(set.value(), 0, set.overflow());
        } else {
            Step.Increment increment = (Step.Increment) step;
            next = increment.field().sum(old, increment.by(), increment.overflow());
        }
        if (next.isEmpty()) {
            return new Outcome(next, false);
        }
        step.field().set(string, offset, next.getAsLong());
        boolean changed = step.field().get(string, offset) != old;
        return new Outcome(step instanceof Step.Set ? OptionalLong.of(old) : next, changed);
    }

    /** The error for offsets beyond the largest string. */
    public static RedisError offsetOutOfRange() {
        return new RedisError("bit offset is not an integer or out of range");
    }
}
