package io.polytable.frontend.setting;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes with units. Every unit is a power of 1024; the final b is optional. */
public final class ByteSize {
    public static final long KB = 1L << 10;
    public static final long MB = 1L << 20;
    public static final long GB = 1L << 30;
    public static final long TB = 1L << 40;

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,19})\\s*([kmgt]?)i?b?", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Long> UNITS = Map.of("", 1L, "k", KB, "m", MB, "g", GB, "t", TB);

    private ByteSize() {}

    public static Optional<Long> parse(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long unit = UNITS.getOrDefault(matcher.group(2).toLowerCase(Locale.ROOT), 1L);
        try {
            return Optional.of(Math.multiplyExact(Long.parseLong(matcher.group(1)), unit));
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    /** The shortest exact notation. */
    public static String show(long bytes) {
        if (bytes > 0 && bytes % TB == 0) {
            return bytes / TB + "tb";
        }
        if (bytes > 0 && bytes % GB == 0) {
            return bytes / GB + "gb";
        }
        if (bytes > 0 && bytes % MB == 0) {
            return bytes / MB + "mb";
        }
        if (bytes > 0 && bytes % KB == 0) {
            return bytes / KB + "kb";
        }
        return Long.toString(bytes);
    }
}
