package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One parameter of CONFIG: its kind and its present value. Thread safe. */
public final class ConfigParameter {
    /** The kinds of values. */
    sealed interface Kind {
        record Whole(long min, long max) implements Kind {}

        /** A number of bytes, also spelled as 100mb. */
        record Memory(long min, long max) implements Kind {}

        /** A number of bytes, or a percentage, whose number is negative. */
        record MemoryOrPercent() implements Kind {}

        record YesNo() implements Kind {}

        record Choice(List<String> names) implements Kind {}

        record Text() implements Kind {}

        /** The name of a file, without a path. */
        record FileName() implements Kind {}

        /** Letters for classes of keyspace events. */
        record KeyEvents() implements Kind {}

        /** For each class of clients a hard limit, a soft limit, and the seconds that the soft one may be exceeded. */
        record OutputLimits() implements Kind {}

        /** Percentages of INFO's latency statistics. */
        record LatencyPercentiles() implements Kind {}
    }

    /** Who may change it. */
    enum Change {
        /** CONFIG SET. */
        FREE,
        /** Redis allows a change; here CONFIG SET accepts only the present value. */
        SAME,
        /** Only at the start. */
        NEVER
    }

    private static final int PERCENT_MAX = 100;

    private final String name;
    private final Kind kind;
    private final Change change;
    private volatile Value value;

    /** The text as CONFIG GET shows it, and its numeric value. */
    private record Value(String text, long number) {}

    ConfigParameter(String name, Kind kind, Change change, String first) {
        this.name = name;
        this.kind = kind;
        this.change = change;
        this.value = parse(first, null);
    }

    public String name() {
        return name;
    }

    public String text() {
        return value.text;
    }

    /** The number; 1 or 0 for yes or no; the index of a choice; negative for a percentage. */
    public long number() {
        return value.number;
    }

    public boolean isYes() {
        return value.number == 1;
    }

    /**
     * Validates a new value.
     *
     * @throws RedisError with the reason when it is not allowed
     */
    void check(String text) {
        switch (change) {
            case FREE -> parse(text, value);
            case SAME -> {
                if (!parse(text, value).equals(value)) {
                    throw new RedisError("this server can only have " + (value.text.isEmpty() ? "none" : value.text));
                }
            }
            case NEVER -> throw new RedisError("can't set immutable config");
        }
    }

    void set(String text) {
        value = parse(text, value);
    }

    private Value parse(String text, @Nullable Value before) {
        if (kind instanceof Kind.Whole whole) {
            OptionalLong number = Numbers.parseLong(Bytes.utf8(text));
            long parsed = number.orElseThrow(() -> new RedisError("argument couldn't be parsed into an integer"));
            return new Value(text, within(parsed, whole.min, whole.max));
        }
        if (kind instanceof Kind.Memory memory) {
            long bytes = within(MemorySize.parse(text), memory.min, memory.max);
            return new Value(Long.toString(bytes), bytes);
        }
        if (kind instanceof Kind.MemoryOrPercent) {
            return memoryOrPercent(text);
        }
        if (kind instanceof Kind.YesNo) {
            return yesOrNo(text.toLowerCase(Locale.ROOT));
        }
        if (kind instanceof Kind.Choice choice) {
            return choice(choice, text.toLowerCase(Locale.ROOT));
        }
        if (kind instanceof Kind.KeyEvents) {
            EventClasses events = EventClasses.parse(text);
            return new Value(events.text(), events.bits());
        }
        if (kind instanceof Kind.LatencyPercentiles) {
            return new Value(Percentiles.text(Percentiles.parse(text)), 0);
        }
        if (kind instanceof Kind.FileName && (text.indexOf('/') >= 0 || text.indexOf('\0') >= 0 || text.isEmpty())) {
            throw new RedisError(name + " can't be a path, just a filename");
        }
        if (kind instanceof Kind.OutputLimits) {
            return new Value(OutputLimit.merge(text, before == null ? "" : before.text), 0);
        }
        return new Value(text, 0);
    }

    private static long within(long number, long min, long max) {
        if (number < min || number > max) {
            throw new RedisError("argument must be between " + min + " and " + max + " inclusive");
        }
        return number;
    }

    private static Value memoryOrPercent(String text) {
        RedisError invalid = new RedisError("argument must be a memory or percent value");
        if (!text.endsWith("%")) {
            long bytes = MemorySize.parse(text, invalid);
            return new Value(Long.toString(bytes), bytes);
        }
        Bytes digits = Bytes.utf8(text.substring(0, text.length() - 1));
        long percent = Numbers.parseLong(digits).orElse(-1);
        if (percent < 0) {
            throw invalid;
        }
        if (percent > PERCENT_MAX) {
            throw new RedisError("percentage argument must be less or equal to " + PERCENT_MAX);
        }
        return percent == 0 ? new Value("0", 0) : new Value(text, -percent);
    }

    private static Value yesOrNo(String text) {
        if (!text.equals("yes") && !text.equals("no")) {
            throw new RedisError("argument must be 'yes' or 'no'");
        }
        return new Value(text, text.equals("yes") ? 1 : 0);
    }

    private static Value choice(Kind.Choice choice, String text) {
        int place = choice.names.indexOf(text);
        if (place < 0) {
            throw new RedisError("argument(s) must be one of the following: " + String.join(", ", choice.names));
        }
        return new Value(text, place);
    }
}
