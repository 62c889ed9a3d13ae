package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.List;

/** Parser of standalone expressions: defaults and checks, which the catalog stores as text. */
public final class ExpressionText {
    private ExpressionText() {}

    /** Removes the qualifiers of columns: a definition's expression sees the columns of one table only. */
    public static String unqualified(String text) {
        List<Token> tokens = Lexer.tokens(text);
        StringBuilder plain = new StringBuilder(text);
        for (int i = tokens.size() - 2; i > 0; i--) {
            boolean qualifies = tokens.get(i).isSymbol(".")
                    && tokens.get(i - 1).isName()
                    && tokens.get(i + 1).isName();
            if (qualifies) {
                plain.delete(tokens.get(i - 1).start(), tokens.get(i + 1).start());
            }
        }
        return plain.toString();
    }

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
