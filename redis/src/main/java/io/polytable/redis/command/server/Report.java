package io.polytable.redis.command.server;

import io.polytable.redis.command.config.MemorySize;
import java.util.Locale;

/** Builds the text of INFO: sections of name:value lines. */
final class Report {
    private final StringBuilder text = new StringBuilder();

    Report section(String title) {
        if (!text.isEmpty()) {
            text.append("\r\n");
        }
        text.append("# ").append(title).append("\r\n");
        return this;
    }

    Report line(String name, String value) {
        text.append(name).append(':').append(value).append("\r\n");
        return this;
    }

    Report line(String name, long value) {
        return line(name, Long.toString(value));
    }

    /** A number of bytes, plain and human-readable. */
    Report bytes(String name, long value) {
        return line(name, value).line(name + "_human", MemorySize.readable(value));
    }

    Report decimal(String name, double value) {
        return line(name, String.format(Locale.ROOT, "%.2f", value));
    }

    /** A part as a percentage of the whole. */
    Report percent(String name, long part, long whole) {
        return line(name, String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0 : 100.0 * part / whole));
    }

    /** The ratio of two numbers and their difference. */
    Report ratio(String name, long upper, long lower) {
        return decimal(name + "_ratio", lower == 0 ? 0 : (double) upper / lower).line(name + "_bytes", upper - lower);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
