package io.polytable.redis.command.keyspace;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.Locale;
import java.util.Optional;

/**
 * The options of the SCAN family.
 *
 * @param type in lower case; SCAN only
 */
public record ScanOptions(long count, Glob match, Optional<String> type) {
    private static final long COUNT = 10;
    private static final Glob EVERYTHING = Glob.of(Bytes.utf8("*"));

    /** Parses the options of HSCAN, SSCAN and ZSCAN, from a position on. */
    public static ScanOptions ofElements(Call call, int from) {
        return parse(call, from, false);
    }

    /** Parses the options of SCAN. */
    static ScanOptions ofKeys(Call call, int from) {
        return parse(call, from, true);
    }

    private static ScanOptions parse(Call call, int from, boolean withType) {
        ScanOptions options = new ScanOptions(COUNT, EVERYTHING, Optional.empty());
        for (int i = from; i < call.size(); i += 2) {
            if (i + 1 == call.size()) {
                throw RedisError.SYNTAX;
            }
            options = options.with(call, i, withType);
        }
        return options;
    }

    private ScanOptions with(Call call, int at, boolean withType) {
        if (call.is(at, "count")) {
            long wanted = call.integer(at + 1);
            if (wanted < 1) {
                throw RedisError.SYNTAX;
            }
            return new ScanOptions(wanted, match, type);
        }
        if (call.is(at, "match")) {
            return new ScanOptions(count, Glob.of(call.word(at + 1)), type);
        }
        if (withType && call.is(at, "type")) {
            return new ScanOptions(count, match, Optional.of(call.text(at + 1).toLowerCase(Locale.ROOT)));
        }
        throw RedisError.SYNTAX;
    }

    /**
     * Parses a cursor: an unsigned 64-bit number, read like C's strtoul, which allows a sign, reads an empty word as
     * zero and stops at a zero byte.
     */
    public static long cursor(Call call, int index) {
        String word = call.text(index);
        int end = word.indexOf(0);
        String text = end < 0 ? word : word.substring(0, end);
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        if (text.isEmpty()) {
            return 0;
        }
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new RedisError("invalid cursor");
        }
        try {
            long cursor = Long.parseUnsignedLong(digits);
            return text.startsWith("-") ? -cursor : cursor;
        } catch (NumberFormatException tooLarge) {
            throw new RedisError("invalid cursor");
        }
    }
}
