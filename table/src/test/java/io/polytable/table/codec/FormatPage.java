package io.polytable.table.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * A text with bytes in it that the code must still produce: a page under docs/formats, or a golden file. Run the tests
 * with {@code -Dpolytable.golden=rewrite} to write what the code produces now; never do that for a released format.
 */
record FormatPage(Path file) {
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("polytable.golden"));
    private static final HexFormat SPACED = HexFormat.ofDelimiter(" ");

    static FormatPage named(String name) {
        return new FormatPage(Path.of(System.getProperty("polytable.root", ".."), "docs", "formats", name));
    }

    static FormatPage golden(String name) {
        return new FormatPage(Path.of("src", "test", "resources", "golden", name));
    }

    static String hex(Bytes bytes) {
        return SPACED.formatHex(bytes.array(), bytes.offset(), bytes.offset() + bytes.length());
    }

    static Bytes bytes(String hex) {
        return Bytes.of(SPACED.parseHex(hex));
    }

    /** The block that follows the comment of this name must read like this. */
    void requireDump(String name, String actual) {
        String page = read();
        String mark = "<!-- dump: " + name + " -->\n```\n";
        int start = page.indexOf(mark) + mark.length();
        assertThat(start).as("%s has a dump %s", file, name).isGreaterThanOrEqualTo(mark.length());
        int end = page.indexOf("```", start);
        if (REWRITE) {
            write(page.substring(0, start) + actual + page.substring(end));
        } else {
            assertThat(page.substring(start, end)).as("%s, dump %s", file, name).isEqualTo(actual);
        }
    }

    void requireAll(String actual) {
        if (REWRITE) {
            write(actual);
        } else {
            assertThat(read()).as("%s", file).isEqualTo(actual);
        }
    }

    String read() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bytes cut into pieces, each with a note: a line a piece. */
    static final class Dump {
        private final BytesReader in;
        private final StringBuilder lines = new StringBuilder();

        Dump(Bytes bytes) {
            in = new BytesReader(bytes);
        }

        Dump next(int length, String note) {
            lines.append("%-36s %s%n".formatted(hex(in.raw(length)), note).replace("\r", ""));
            return this;
        }

        String end() {
            in.end();
            return lines.toString();
        }
    }
}
