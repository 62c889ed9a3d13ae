package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import java.util.Locale;
import java.util.Map;

/** Parses and formats sizes in bytes: 100, 1k (1000), 1kb (1024), 512mb. */
public final class MemorySize {
    private static final Map<String, Long> UNITS = Map.of(
            "", 1L,
            "b", 1L,
            "k", 1000L,
            "kb", 1024L,
            "m", 1_000_000L,
            "mb", 1L << 20,
            "g", 1_000_000_000L,
            "gb", 1L << 30);

    private MemorySize() {}

    static long parse(String text) {
        return parse(text, new RedisError("argument must be a memory value"));
    }

    static long parse(String text, RedisError otherwise) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        Long unit = UNITS.get(text.substring(digits).toLowerCase(Locale.ROOT));
        if (digits == 0 || unit == null) {
            throw otherwise;
        }
        try {
            return Math.multiplyExact(Long.parseLong(text, 0, digits, 10), unit);
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            throw otherwise;
        }
    }

    /** As INFO shows it to people. */
    public static String readable(long bytes) {
        String[] units = {"B", "K", "M", "G", "T", "P"};
        double size = bytes;
        int unit = 0;
        while (size >= 1024 && unit < units.length - 1) {
            size /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + "B" : String.format(Locale.ROOT, "%.2f%s", size, units[unit]);
    }
}
