package io.polytable.redis.command.acl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.table.Bytes;

/** Rules are bytes; here they are text with one character per byte. */
final class Words {
    private Words() {}

    static String text(Bytes bytes) {
        return new String(bytes.array(), bytes.offset(), bytes.length(), ISO_8859_1);
    }

    static Bytes bytes(String text) {
        return Bytes.of(text.getBytes(ISO_8859_1));
    }

    /** Whether the text has what separates words in a list of rules, or a zero byte. */
    static boolean hasSpaces(String text) {
        return text.chars().anyMatch(each -> each == 0 || isSpace(each));
    }

    private static boolean isSpace(int each) {
        return each == ' ' || (each >= '\t' && each <= '\r');
    }
}
