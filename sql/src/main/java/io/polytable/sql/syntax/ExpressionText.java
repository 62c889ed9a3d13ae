package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;

/** Parser of standalone expressions: defaults and checks, which the catalog stores as text. */
public final class ExpressionText {
    private ExpressionText() {}

    /** Parses the whole text, which must be within the subset that we evaluate ourselves. */
    public static Expr parse(String text) {
        Tokens tokens = new Tokens(text, Lexer.tokens(text));
        try {
            Expr expr = new ExprParser(tokens).parse();
            tokens.expectEnd();
            return expr;
        } catch (ExprParser.Beyond beyond) {
            throw new SqlError(SqlCode.UNSUPPORTED, "the expression " + text + " is not available in a definition");
        }
    }
}
