package io.polytable.redis.command;

import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * The words behind the cursor of SCAN, HSCAN, SSCAN and ZSCAN.
 *
 * @param match what names must match, empty when everything does
 * @param count how many elements a step looks at
 * @param type the word behind TYPE, which only SCAN has
 */
record ScanOptions(Optional<Glob> match, long count, Optional<Bytes> type) {
    private static final long COUNT_DEFAULT = 10;

    static ScanOptions ofKeys(Call call, int from) {
        return read(call, from, true);
    }

    static ScanOptions ofElements(Call call, int from) {
        return read(call, from, false);
    }

    private static ScanOptions read(Call call, int from, boolean typeAllowed) {
        Optional<Glob> match = Optional.empty();
        Optional<Bytes> type = Optional.empty();
        long count = COUNT_DEFAULT;
        for (int i = from; i < call.size(); i += 2) {
            if (i + 1 == call.size()) {
                throw RedisError.SYNTAX;
            }
            if (call.is(i, "count")) {
                count = call.integer(i + 1);
                if (count < 1) {
                    throw RedisError.SYNTAX;
                }
            } else if (call.is(i, "match")) {
                match = Optional.of(Glob.of(call.word(i + 1))).filter(glob -> !glob.isEverything());
            } else if (typeAllowed && call.is(i, "type")) {
                type = Optional.of(call.word(i + 1));
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return new ScanOptions(match, count, type);
    }

    boolean matches(Bytes name) {
        return match.isEmpty() || match.get().matches(name);
    }

    /**
     * The cursor as C's strtoul reads it: a sign is allowed, no digits mean zero, and what follows a zero byte is not
     * seen.
     */
    static long cursor(Bytes word) {
        int end = 0;
        while (end < word.length() && word.at(end) != 0) {
            end++;
        }
        if (end == 0) {
            return 0;
        }
        boolean signed = word.at(0) == '-' || word.at(0) == '+';
        String digits = word.slice(signed ? 1 : 0, end).utf8();
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw invalidCursor();
        }
        try {
            long value = Long.parseUnsignedLong(digits);
            return word.at(0) == '-' ? -value : value;
        } catch (NumberFormatException tooLarge) {
            throw invalidCursor();
        }
    }

    private static RedisError invalidCursor() {
        return new RedisError("invalid cursor");
    }
}
