package io.polytable.sql.syntax;

/**
 * A token of a statement.
 *
 * @param text a word in lower case, the value of a string or quoted name, anything else as it was written
 * @param start the offset of its first character in the text
 * @param end the offset after its last character
 */
record Token(Kind kind, String text, int start, int end) {
    enum Kind {
        /** A keyword or a name without quotes. */
        WORD,
        /** A name in double quotes. */
        QUOTED,
        STRING,
        NUMBER,
        /** {@code ?} or {@code $1}. */
        PARAMETER,
        SYMBOL,
        END
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equals(word);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }
}
