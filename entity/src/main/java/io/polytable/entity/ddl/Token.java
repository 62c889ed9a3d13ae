package io.polytable.entity.ddl;

/**
 * A token and where it starts.
 *
 * @param text a word as written, a string without its quotes, a JSON value as written
 */
record Token(Kind kind, String text, Position at) {
    enum Kind {
        WORD,
        NUMBER,
        STRING,
        JSON,
        SYMBOL,
        END
    }

    /** Line and column, both from 1. */
    record Position(int line, int column) {}

    boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    /** How the token is named in an error. */
    String shown() {
        return kind == Kind.END ? "end of text" : text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
