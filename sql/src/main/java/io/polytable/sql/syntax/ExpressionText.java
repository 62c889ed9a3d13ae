package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;

/** Expressions that stand alone: defaults and checks, which are kept as text. */
public final class ExpressionText {
    private ExpressionText() {}

    /** The expression, all of which must be one of ours. */
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
