package io.polytable.redis.model.bitmap;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Strings seen as bits. */
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
     * A part of a string, from one index to another, both included and from the end where negative.
     *
     * @param inBits whether the indexes count bits rather than bytes
     */
    public record Part(long first, long last, boolean inBits) {
        public static final Part WHOLE = new Part(0, -1, false);

        private BitRange of(Bytes string) {
            long length = inBits ? 8L * string.length() : string.length();
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

        /** Tells the value. */
        record Get(BitField field, long offset) implements Step {}

        /** Replaces the value and tells the one before. */
        record Set(BitField field, long offset, long value, BitField.Overflow overflow) implements Step {}

        /** Adds to the value and tells the sum. */
        record Increment(BitField field, long offset, long by, BitField.Overflow overflow) implements Step {}
    }

    public int get(Space space, Bytes key, long offset) {
        return BitRange.bit(space.string(key).orElse(Bytes.EMPTY), offset);
    }

    /** Sets the bit, with zeros up to it, and answers what it was. */
    public int set(Space space, Bytes key, long offset, int bit) {
        Optional<StringHeader> header = space.stringHeader(key);
        byte[] string = grown(header, offset + 1);
        int old = BitRange.bit(string, offset);
        boolean grows = header.isEmpty() || header.get().value().length() < string.length;
        if (grows || old != bit) {
            new BitField(false, 1).set(string, offset, bit);
            save(space, key, header, string);
            space.changed(key, SETBIT);
        }
        return old;
    }

    public long count(Space space, Bytes key, Part part) {
        Bytes string = space.string(key).orElse(Bytes.EMPTY);
        boolean backwards = part.first < 0 && part.last < 0 && part.first > part.last;
        return backwards ? 0 : part.of(string).count(string);
    }

    /** Where the first such bit is; without an end the string counts as followed by zeros. */
    public long find(Space space, Bytes key, int bit, Part part, boolean hasEnd) {
        Optional<Bytes> value = space.string(key);
        if (value.isEmpty()) {
            return bit == 1 ? -1 : 0;
        }
        BitRange range = part.of(value.get());
        long found = range.find(value.get(), bit);
        boolean zeroBehind = found < 0 && bit == 0 && !hasEnd && !range.isEmpty();
        return zeroBehind ? range.last() + 1 : found;
    }

    /** Makes the target the combination of the sources, shorter ones followed by zeros; answers its length. */
    public long combine(Space space, Operation operation, Bytes target, List<Bytes> sources) {
        List<Bytes> strings = new ArrayList<>(sources.size());
        int length = 0;
        for (Bytes source : sources) {
            Optional<Bytes> found = space.string(source);
            if (found.isEmpty()) {
                space.missed(source);
            }
            Bytes string = found.orElse(Bytes.EMPTY);
            strings.add(string);
            length = Math.max(length, string.length());
        }
        if (length == 0) {
            boolean unused = space.remove(target);
            return 0;
        }
        byte[] result = new byte[length];
        strings.get(0).copyTo(result, 0);
        if (operation == Operation.NOT) {
            for (int i = 0; i < length; i++) {
                result[i] = (byte) ~result[i];
            }
        }
        for (Bytes string : strings.subList(1, strings.size())) {
            combine(operation, result, string);
        }
        space.putString(target, Bytes.of(result), Header.NEVER);
        space.changed(target, SET);
        return length;
    }

    private static void combine(Operation operation, byte[] result, Bytes string) {
        int common = string.length();
        for (int i = 0; i < common; i++) {
            result[i] = switch (operation) {
                case AND -> (byte) (result[i] & string.at(i));
                case OR -> (byte) (result[i] | string.at(i));
                case XOR -> (byte) (result[i] ^ string.at(i));
                case NOT -> throw new IllegalStateException("NOT has one source");
            };
        }
        if (operation == Operation.AND) {
            Arrays.fill(result, common, result.length, (byte) 0);
        }
    }

    /** Runs the steps in their order, each on what those before it left; absent where one failed. */
    public List<OptionalLong> fields(Space space, Bytes key, List<Step> steps) {
        Optional<StringHeader> header = space.stringHeader(key);
        long bits = 0;
        for (Step step : steps) {
            if (!(step instanceof Step.Get)) {
                bits = Math.max(bits, step.offset() + step.field().bits());
            }
        }
        if (bits == 0 && header.isEmpty()) {
            space.missed(key);
        }
        byte[] string = grown(header, bits);
        List<OptionalLong> answers = new ArrayList<>(steps.size());
        for (Step step : steps) {
            answers.add(run(step, string));
        }
        if (bits > 0) {
            save(space, key, header, string);
            space.changed(key, SETBIT);
        }
        return answers;
    }

    private static OptionalLong run(Step step, byte[] string) {
        long old = step.field().get(string, step.offset());
        if (step instanceof Step.Get) {
            return OptionalLong.of(old);
        }
        boolean sets = step instanceof Step.Set;
        OptionalLong next;
        if (step instanceof Step.Set set) {
            next = set.field().sum(set.value(), 0, set.overflow());
        } else {
            Step.Increment increment = (Step.Increment) step;
            next = increment.field().sum(old, increment.by(), increment.overflow());
        }
        if (next.isEmpty()) {
            return next;
        }
        step.field().set(string, step.offset(), next.getAsLong());
        return sets ? OptionalLong.of(old) : next;
    }

    /** A copy of the string that is long enough for the bits. */
    private static byte[] grown(Optional<StringHeader> header, long bits) {
        Bytes old = header.map(StringHeader::value).orElse(Bytes.EMPTY);
        byte[] grown = new byte[(int) Math.max(old.length(), (bits + 7) >>> 3)];
        old.copyTo(grown, 0);
        return grown;
    }

    private static void save(Space space, Bytes key, Optional<StringHeader> header, byte[] string) {
        space.putString(
                key, Bytes.of(string), header.map(StringHeader::expireAt).orElse(Header.NEVER));
    }

    /** For offsets that no string can have. */
    public static RedisError offsetOutOfRange() {
        return new RedisError("bit offset is not an integer or out of range");
    }
}
