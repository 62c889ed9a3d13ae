package io.polytable.conformance.resp;

import java.util.List;
import java.util.stream.Collectors;

/** Replies and commands as one readable line, which can be pasted into redis-cli. */
public final class RespText {
    private static final int TEXT_CHARS_MAX = 400;
    private static final int ITEMS_MAX = 60;

    private RespText() {}

    /** A reply: the type byte, then the text; aggregates in brackets. */
    public static String of(Resp reply) {
        if (reply instanceof Resp.Line line) {
            return line.kind() + escaped(line.text());
        }
        if (reply instanceof Resp.Blob blob) {
            return blob.kind() + quoted(blob.text());
        }
        if (reply instanceof Resp.Many many) {
            List<Resp> items = many.items();
            String shown = items.stream().limit(ITEMS_MAX).map(RespText::of).collect(Collectors.joining(" ", "[", ""));
            String rest = items.size() > ITEMS_MAX ? " ... " + items.size() + " items]" : "]";
            return many.kind() + shown + rest;
        }
        return reply.kind() + "-1";
    }

    /** A command, every word quoted where redis-cli needs it. */
    public static String of(List<String> words) {
        return words.stream().map(RespText::word).collect(Collectors.joining(" "));
    }

    private static String word(String word) {
        return word.matches("[A-Za-z0-9_.+(\\[*-]+") ? word : quoted(word);
    }

    /** The text in double quotes, shortened when long. */
    public static String quoted(String text) {
        if (text.length() > TEXT_CHARS_MAX) {
            return '"' + escaped(text.substring(0, TEXT_CHARS_MAX)) + "\"...(" + text.length() + " bytes)";
        }
        return '"' + escaped(text) + '"';
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                out.append(c);
            } else {
                out.append(String.format("\\x%02x", (int) c));
            }
        }
        return out.toString();
    }
}
