package io.polytable.redis.model.string;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.number.LongDouble;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.number.Overflow;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Operations on strings. The value is in the key's own row, so each of these is one read and at most one put. A long
 * string that was changed in parts is in segments: {@link OpenString}.
 */
public final class Strings {
    /** Redis' own bound. A string that is set as a whole must also fit on the heap. */
    public static final long LENGTH_MAX = 512L << 20;

    private static final KeyEvent SET = event("set");
    private static final KeyEvent APPEND = event("append");
    private static final KeyEvent SETRANGE = event("setrange");
    private static final KeyEvent INCRBY = event("incrby");
    private static final KeyEvent INCRBYFLOAT = event("incrbyfloat");

    private static KeyEvent event(String name) {
        return new KeyEvent(EventClass.STRING, name);
    }

    /** The condition under which SET writes. */
    public enum Condition {
        ALWAYS,
        IF_ABSENT,
        IF_PRESENT
    }

    /**
     * The options of SET.
     *
     * @param tellsOld whether the old value is wanted, which then must be a string
     * @param keepsDeadline whether the key's present deadline stays; {@code expireAt} is then ignored
     * @param expireAt the new deadline, or {@link Header#NEVER}
     */
    public record SetRules(Condition condition, boolean tellsOld, boolean keepsDeadline, long expireAt) {}

    /** Whether SET wrote, and the old value if it was asked for. */
    public record SetOutcome(boolean written, Optional<Bytes> old) {}

    public Optional<Bytes> get(Space space, Bytes key) {
        return space.string(key);
    }

    /** One answer per key; absent also where the key holds something else. */
    public List<Optional<Bytes>> getMany(Space space, List<Bytes> keys) {
        return space.strings(keys);
    }

    /** Sets the value, whatever the key held, without a deadline. */
    public void set(Space space, Bytes key, Bytes value) {
        space.putString(key, value, Header.NEVER);
        space.changed(key, SET);
    }

    public SetOutcome set(Space space, Bytes key, Bytes value, SetRules rules) {
        Optional<Bytes> old = rules.tellsOld ? space.string(key) : Optional.empty();
        Optional<Header> header = space.header(key);
        if (rules.tellsOld && header.isEmpty()) {
            space.missed(key);
        }
        boolean writes = switch (rules.condition) {
            case ALWAYS -> true;
            case IF_ABSENT -> header.isEmpty();
            case IF_PRESENT -> header.isPresent();
        };
        if (writes) {
            long kept = header.map(Header::expireAt).orElse(Header.NEVER);
            space.putString(key, value, rules.keepsDeadline ? kept : rules.expireAt);
            nameSet(space, key, rules);
        }
        return new SetOutcome(writes, old);
    }

    private static void nameSet(Space space, Bytes key, SetRules rules) {
        space.changed(key, SET);
        if (!rules.keepsDeadline && rules.expireAt != Header.NEVER) {
            space.changed(key, KeyEvent.EXPIRE);
            if (space.isPast(rules.expireAt)) {
                space.changed(key, KeyEvent.EXPIRED);
            }
        }
    }

    public boolean setIfAbsent(Space space, Bytes key, Bytes value) {
        if (space.header(key).isPresent()) {
            return false;
        }
        set(space, key, value);
        return true;
    }

    /** Keys and values alternate; the last value of a key named twice wins. */
    public void setAll(Space space, List<Bytes> pairs) {
        for (int i = 0; i < pairs.size(); i += 2) {
            set(space, pairs.get(i), pairs.get(i + 1));
        }
    }

    /** Sets all of them, or none when any key exists. */
    public boolean setAllIfAbsent(Space space, List<Bytes> pairs) {
        for (int i = 0; i < pairs.size(); i += 2) {
            if (space.header(pairs.get(i)).isPresent()) {
                return false;
            }
        }
        setAll(space, pairs);
        return true;
    }

    public Optional<Bytes> getAndSet(Space space, Bytes key, Bytes value) {
        Optional<Bytes> old = space.string(key);
        if (old.isEmpty()) {
            space.missed(key);
        }
        set(space, key, value);
        return old;
    }

    public Optional<Bytes> getAndRemove(Space space, Bytes key) {
        Optional<Bytes> old = space.string(key);
        if (old.isPresent()) {
            space.remove(key);
        } else {
            space.missed(key);
        }
        return old;
    }

    /** Changes the deadline of an existing string; one that has passed removes it at once. */
    public void expire(Space space, Bytes key, long expireAt) {
        space.header(key).filter(header -> header.type() == Type.STRING).ifPresent(header -> {
            if (header.withExpireAt(expireAt).isExpired(space.nowMillis())) {
                space.remove(key);
            } else if (header.expireAt() != expireAt) {
                space.put(key, header.withExpireAt(expireAt));
                space.changed(key, expireAt == Header.NEVER ? KeyEvent.PERSIST : KeyEvent.EXPIRE);
            } else if (expireAt != Header.NEVER) {
                space.changed(key, KeyEvent.EXPIRE);
            }
        });
    }

    public long length(Space space, Bytes key) {
        return OpenString.of(space, key).length();
    }

    /** Appends and answers the new length. */
    public long append(Space space, Bytes key, Bytes tail) {
        OpenString string = OpenString.of(space, key);
        if (!string.isPresent()) {
            space.putString(key, tail, Header.NEVER);
            space.changed(key, APPEND);
            return tail.length();
        }
        checkLength(string.length() + tail.length());
        string.write(string.length(), tail);
        string.save();
        space.changed(key, APPEND);
        return string.length();
    }

    /** Overwrites a part, padding with zeros up to its start; answers the new length. An empty part creates nothing. */
    public long overwrite(Space space, Bytes key, long offset, Bytes part) {
        OpenString string = OpenString.of(space, key);
        if (part.isEmpty()) {
            return string.length();
        }
        // Checks the offset alone first: it may be so large that the sum overflows.
        checkLength(offset);
        checkLength(offset + part.length());
        string.write(offset, part);
        string.save();
        space.changed(key, SETRANGE);
        return string.length();
    }

    /** The bytes from one index to another, both inclusive; negative indexes count from the end. */
    public Bytes range(Space space, Bytes key, long first, long last) {
        OpenString string = OpenString.of(space, key);
        long length = string.length();
        if (first < 0 && last < 0 && first > last) {
            return Bytes.EMPTY;
        }
        // As in Redis an end before the start means the first byte, not nothing.
        long from = Math.max(0, first < 0 ? length + first : first);
        long to = Math.min(length - 1, Math.max(0, last < 0 ? length + last : last));
        return from > to || length == 0 ? Bytes.EMPTY : string.slice(from, (int) (to - from + 1));
    }

    /** Adds to the integer in the string, 0 when absent, and answers the sum. */
    public long add(Space space, Bytes key, long delta) {
        Optional<StringHeader> header = space.stringHeader(key);
        long sum;
        try {
            sum = Math.addExact(header.isEmpty() ? 0 : number(header.get().value()), delta);
        } catch (ArithmeticException overflow) {
            throw Overflow.ofInteger();
        }
        space.putString(
                key,
                Numbers.format(sum),
                header.isEmpty() ? Header.NEVER : header.get().expireAt());
        space.changed(key, INCRBY);
        return sum;
    }

    private static long number(Bytes value) {
        return Numbers.parseLong(value).orElseThrow(() -> RedisError.NOT_AN_INTEGER);
    }

    /** As {@link #add} in floating point; the delta is still a text, since errors of the value take precedence. */
    public Bytes addFloat(Space space, Bytes key, Bytes delta) {
        Optional<StringHeader> header = space.stringHeader(key);
        LongDouble old =
                header.isEmpty() ? LongDouble.ZERO : floating(header.get().value());
        LongDouble sum = old.plus(floating(delta));
        if (!sum.isFinite()) {
            throw Overflow.ofFloat();
        }
        Bytes text = sum.format();
        long expireAt = header.isEmpty() ? Header.NEVER : header.get().expireAt();
        space.putString(key, text, expireAt, StringHeader.Form.TEXT);
        space.changed(key, INCRBYFLOAT);
        return text;
    }

    private static LongDouble floating(Bytes text) {
        return LongDouble.parse(text).orElseThrow(() -> RedisError.NOT_A_FLOAT);
    }

    private static void checkLength(long length) {
        if (length > LENGTH_MAX || length < 0) {
            throw new RedisError("string exceeds maximum allowed size (proto-max-bulk-len)");
        }
    }
}
