package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rewrites a query's text from PostgreSQL's lexical rules to DuckDB's. Unquoted names become lower case, as in
 * PostgreSQL. The namespace {@code default}, a keyword in DuckDB, is quoted.
 */
public final class Folding {
    /** Deeper nesting could overflow a parser's stack; hand-written queries stay below a tenth of it. */
    public static final int NESTING_MAX = 200;

    /** DuckDB cannot be stopped while it plans. Measured: a query of this many words takes about a second to plan. */
    public static final int WORDS_MAX = 50_000;

    /** The time to plan a chain of set operations grows with the square of its length. */
    public static final int SET_OPERATIONS_MAX = 1_000;

    private static final Set<String> SET_OPERATIONS = Set.of("union", "intersect", "except");

    private Folding() {}

    /**
     * Rejects a query that would take long to plan: one with a very long list, chain of conditions or of set operations.
     */
    private static void checkSize(List<Token> tokens) {
        if (tokens.size() > WORDS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED, "a query has at most " + WORDS_MAX + " words, values and symbols");
        }
        long operations = tokens.stream()
                .filter(token -> token.kind() == Token.Kind.WORD
                        && SET_OPERATIONS.contains(token.text().toLowerCase(Locale.ROOT)))
                .count();
        if (operations > SET_OPERATIONS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED,
                    "a query has at most " + SET_OPERATIONS_MAX + " UNION, INTERSECT and EXCEPT together");
        }
    }

    /**
     * Our operator in place of {@code ->}. DuckDB parses {@code ->} as its old lambda arrow, which binds weaker than
     * any operator, even AND; this one has the precedence of PostgreSQL's.
     */
    public static final String ARROW = "~>";

    /** Our operator in place of {@code #}, exclusive or: DuckDB begins the number of a column with it. */
    public static final String XOR = "~^";

    private static boolean isPath(Token token) {
        String text = token.text();
        return token.kind() == Token.Kind.STRING && text.startsWith("{") && text.endsWith("}");
    }

    private static boolean isEscaped(String text, Token token) {
        return text.charAt(token.start()) == 'e' || text.charAt(token.start()) == 'E';
    }

    public static String fold(String text) {
        List<Token> tokens = Lexer.tokens(text);
        checkSize(tokens);
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
                // The token holds the unescaped text; DuckDB supports only some of the escapes.
                String written = "'" + token.text().replace("'", "''") + "'";
                folded.replace(token.start() + grown, token.end() + grown, written);
                grown += written.length() - (token.end() - token.start());
            }
            if (token.isSymbol("->")) {
                // The space keeps a sign that follows from becoming a part of the operator.
                String written = ARROW + " ";
                folded.replace(token.start() + grown, token.end() + grown, written);
                grown += written.length() - (token.end() - token.start());
            }
            if (token.isSymbol("#")) {
                String written = XOR + " ";
                folded.replace(token.start() + grown, token.end() + grown, written);
                grown += written.length() - (token.end() - token.start());
            }
            if ((token.isSymbol("#>") || token.isSymbol("#>>")) && isPath(tokens.get(i + 1))) {
                // A path into a document becomes the JSON pointer that DuckDB's operators take.
                Token path = tokens.get(++i);
                String pointer = JsonPath.pointer(JsonPath.steps(path.text()));
                String written = (token.isSymbol("#>") ? ARROW + " '" : "->> '") + pointer.replace("'", "''") + "'";
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
