package io.polytable.server.cli;

import java.io.IOException;
import java.io.Reader;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads statements from a file one by one, whatever the file's size. It knows what a semicolon may be part of: strings,
 * quoted names, dollar quotes and comments. Everything else is the server's to understand.
 */
final class StatementSplitter {
    private static final int END = -1;

    private final Reader reader;
    private final StringBuilder text = new StringBuilder();
    private int next;
    private int line = 1;

    /**
     * A statement with the comments before it.
     *
     * @param line the line in which the text begins
     * @param words its first words in lower case, separated by spaces
     */
    record Piece(String text, int line, String words) {}

    StatementSplitter(Reader reader) throws IOException {
        this.reader = reader;
        next = reader.read();
    }

    /** The next statement, with its semicolon if it has one; empty at the end of the file. */
    Optional<Piece> next() throws IOException {
        text.setLength(0);
        int start = line;
        StringBuilder words = new StringBuilder();
        while (next != END) {
            if (next == ';') {
                take();
                if (words.length() > 0) {
                    return Optional.of(new Piece(text.toString(), start, words.toString()));
                }
            } else {
                token(words);
            }
        }
        return words.length() == 0
                ? Optional.empty()
                : Optional.of(new Piece(text.toString(), start, words.toString()));
    }

    private void token(StringBuilder words) throws IOException {
        int first = next;
        if (Character.isWhitespace(first)) {
            take();
        } else if (Character.isLetter(first) || first == '_') {
            word(words);
        } else if (first == '\'' || first == '"') {
            mark(words);
            quoted(first, false);
        } else if (first == '$') {
            mark(words);
            dollar();
        } else {
            take();
            if (first == '-' && next == '-') {
                comment();
            } else if (first == '/' && next == '*') {
                nestedComment();
            } else {
                mark(words);
            }
        }
    }

    /** Ends the list of first words, which are compared with keywords. */
    private static void mark(StringBuilder words) {
        words.append(words.length() == 0 ? "?" : " ?");
    }

    private void word(StringBuilder words) throws IOException {
        int from = text.length();
        while (next != END && (Character.isLetterOrDigit(next) || next == '_' || next == '$')) {
            take();
        }
        String word = text.substring(from).toLowerCase(Locale.ROOT);
        words.append(words.length() == 0 ? "" : " ").append(word);
        if (word.equals("e") && next == '\'') {
            quoted('\'', true);
        }
    }

    /** A doubled quote inside is two strings side by side, which come to the same here. */
    private void quoted(int quote, boolean escapes) throws IOException {
        take();
        while (next != END && next != quote) {
            if (next == '\\' && escapes) {
                take();
            }
            take();
        }
        take();
        if (escapes && next == quote) {
            quoted(quote, true);
        }
    }

    private void dollar() throws IOException {
        int from = text.length();
        take();
        while (next != END && (Character.isLetterOrDigit(next) || next == '_')) {
            take();
        }
        String tag = text.substring(from);
        boolean parameter = next != '$' || (tag.length() > 1 && Character.isDigit(tag.charAt(1)));
        if (parameter) {
            return;
        }
        take();
        String end = text.substring(from);
        int body = text.length();
        while (next != END && !endsWith(end, body)) {
            take();
        }
    }

    private boolean endsWith(String end, int from) {
        int start = text.length() - end.length();
        return start >= from && text.indexOf(end, start) == start;
    }

    private void comment() throws IOException {
        while (next != END && next != '\n') {
            take();
        }
    }

    private void nestedComment() throws IOException {
        take();
        int depth = 1;
        int before = ' ';
        while (next != END && depth > 0) {
            int now = next;
            take();
            boolean opens = before == '/' && now == '*';
            boolean closes = before == '*' && now == '/';
            depth += opens ? 1 : closes ? -1 : 0;
            before = opens || closes ? ' ' : now;
        }
    }

    private void take() throws IOException {
        if (next == END) {
            return;
        }
        line += next == '\n' ? 1 : 0;
        text.append((char) next);
        next = reader.read();
    }
}
