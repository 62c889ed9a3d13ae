package io.polytable.sql.syntax;

/** Quotes identifiers for SQL text. */
public final class Quoted {
    private Quoted() {}

    public static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
