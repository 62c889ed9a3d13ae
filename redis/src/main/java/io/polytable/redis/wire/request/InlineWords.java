package io.polytable.redis.wire.request;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits an inline command into words: separated by blanks; in double quotes with escapes, in single quotes with only
 * the quote escaped. A closing quote must be followed by a blank or the end.
 */
final class InlineWords {
    private final byte[] line;
    private final int end;
    private int at;
    private final byte[] word;
    private int length;

    private InlineWords(byte[] line, int from, int to) {
        this.line = line;
        this.at = from;
        this.end = to;
        this.word = new byte[to - from];
    }

    static List<Bytes> split(byte[] line, int from, int to) {
        // As a C string, the line ends at a zero byte.
        int zero = from;
        while (zero < to && line[zero] != 0) {
            zero++;
        }
        return new InlineWords(line, from, zero).split();
    }

    private List<Bytes> split() {
        List<Bytes> words = new ArrayList<>();
        while (true) {
            while (at < end && isBlank(line[at])) {
                at++;
            }
            if (at == end) {
                return words;
            }
            length = 0;
            readWord();
            words.add(Bytes.of(word, 0, length).copy());
        }
    }

    private void readWord() {
        while (at < end && !endsWord(line[at])) {
            byte b = line[at++];
            if (b == '"') {
                readDoubleQuoted();
                return;
            }
            if (b == '\'') {
                readSingleQuoted();
                return;
            }
            word[length++] = b;
        }
    }

    private void readDoubleQuoted() {
        while (at < end) {
            byte b = line[at++];
            if (b == '"') {
                endQuoted();
                return;
            }
            word[length++] = b == '\\' && at < end ? escaped() : b;
        }
        throw unbalanced();
    }

    private byte escaped() {
        if (line[at] == 'x' && at + 2 < end && hex(line[at + 1]) >= 0 && hex(line[at + 2]) >= 0) {
            byte value = (byte) (hex(line[at + 1]) * 16 + hex(line[at + 2]));
            at += 3;
            return value;
        }
        byte b = line[at++];
        return switch (b) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> b;
        };
    }

    private void readSingleQuoted() {
        while (at < end) {
            byte b = line[at++];
            if (b == '\'') {
                endQuoted();
                return;
            }
            if (b == '\\' && at < end && line[at] == '\'') {
                b = line[at++];
            }
            word[length++] = b;
        }
        throw unbalanced();
    }

    private void endQuoted() {
        if (at < end && !isBlank(line[at])) {
            throw unbalanced();
        }
    }

    private static ProtocolError unbalanced() {
        return new ProtocolError("unbalanced quotes in request");
    }

    private static int hex(byte b) {
        return Character.digit(b, 16);
    }

    /** As in Redis, fewer bytes end a word than separate words. */
    private static boolean endsWord(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }
}
