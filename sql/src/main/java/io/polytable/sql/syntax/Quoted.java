package io.polytable.sql.syntax;

/** Quotes identifiers and literals for SQL text. */
public final class Quoted {
    private Quoted() {}

    public static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    public static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
