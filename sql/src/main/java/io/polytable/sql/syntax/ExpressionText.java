package io.polytable.sql.syntax;

import java.util.List;

/** Changes the text of an expression that the catalog stores: a default or a check. */
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
}
