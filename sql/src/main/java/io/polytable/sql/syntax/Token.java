package io.polytable.sql.syntax;

/**
 * A piece of a statement.
 *
 * @param text of a word in lower case, of a string or a quoted name what it stands for, of all else as it was written
 * @param start where it begins in the text
 * @param end where the next character is
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
