package io.polytable.sql.syntax;

/** Names as SQL writes them whatever characters they have. */
public final class Quoted {
    private Quoted() {}

    public static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
