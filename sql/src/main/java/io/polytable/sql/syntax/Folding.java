package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.List;
import java.util.Locale;

/**
 * A query's text with all names that are not quoted in lower case, as PostgreSQL reads them. The namespace
 * {@code default}, a keyword to DuckDB, is put in quotes.
 */
public final class Folding {
    /** Deeper nesting would cost a parser its stack; a person does not write a tenth of it. */
    public static final int NESTING_MAX = 200;

    private Folding() {}

    /**
     * DuckDB's arrow is that of old lambdas and binds less than anything, AND included. So an arrow into a document is written
     * as an operator of ours, which binds as PostgreSQL's does.
     */
    public static final String ARROW = "~>";

    private static boolean isPath(Token token) {
        String text = token.text();
        return token.kind() == Token.Kind.STRING && text.startsWith("{") && text.endsWith("}");
    }

    private static boolean isEscaped(String text, Token token) {
        return text.charAt(token.start()) == 'e' || text.charAt(token.start()) == 'E';
    }

    public static String fold(String text) {
        List<Token> tokens = Lexer.tokens(text);
        StringBuilder folded = new StringBuilder(text);
        int grown = 0;
        int depth = 0;
        int prefixes = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.kind() == Token.Kind.WORD) {
                boolean namespace = token.isWord("default") && tokens.get(i + 1).isSymbol(".");
                String lower = text.substring(token.start(), token.end()).toLowerCase(Locale.ROOT);
                String written = namespace ? "\"default\"" : lower;
                folded.replace(token.start() + grown, token.end() + grown, written);
                grown += written.length() - (token.end() - token.start());
            }
            if (token.kind() == Token.Kind.STRING && isEscaped(text, token)) {
                // The tokens have what the escapes mean, which DuckDB knows only some of.
                String written = "'" + token.text().replace("'", "''") + "'";
                folded.replace(token.start() + grown, token.end() + grown, written);
                grown += written.length() - (token.end() - token.start());
            }
            if (token.isSymbol("->")) {
                // A sign right behind it would become a part of the operator.
                String written = ARROW + " ";
                folded.replace(token.start() + grown, token.end() + grown, written);
                grown += written.length() - (token.end() - token.start());
            }
            if ((token.isSymbol("#>") || token.isSymbol("#>>")) && isPath(tokens.get(i + 1))) {
                // A path into a document: DuckDB's arrow takes it as a pointer.
                Token path = tokens.get(++i);
                String steps = path.text().substring(1, path.text().length() - 1);
                String written = (token.isSymbol("#>") ? ARROW + " '/" : "->> '/")
                        + steps.replace("'", "''").replace(",", "/") + "'";
                folded.replace(token.start() + grown, path.end() + grown, written);
                grown += written.length() - (path.end() - token.start());
                continue;
            }
            boolean opens = token.isSymbol("(") || token.isSymbol("[") || token.isSymbol("{") || token.isWord("case");
            boolean closes = token.isSymbol(")") || token.isSymbol("]") || token.isSymbol("}") || token.isWord("end");
            depth += opens ? 1 : closes ? -1 : 0;
            boolean prefix = token.isWord("not") || token.isSymbol("-") || token.isSymbol("+");
            prefixes = prefix ? prefixes + 1 : 0;
            if (depth > NESTING_MAX || prefixes > NESTING_MAX) {
                throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply", token.start());
            }
        }
        return folded.toString();
    }
}
