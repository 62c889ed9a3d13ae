package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rewrites {@code table AS OF VERSION n}, which DuckDB's parser does not know, to a table name that carries the
 * version. The rewritten text has the same length, so error positions stay valid.
 */
public final class AsOf {
    private static final char MARK = '@';
    private static final Pattern OF = Pattern.compile("\\bof\\b", Pattern.CASE_INSENSITIVE);

    private AsOf() {}

    /** A table's plain name and a version of the table. */
    public record Versioned(String name, long version) {}

    public static String rewrite(String text) {
        if (!OF.matcher(text).find()) {
            return text;
        }
        List<Token> tokens = Lexer.tokens(text);
        StringBuilder rewritten = new StringBuilder(text);
        for (int i = 1; i + 2 < tokens.size(); i++) {
            Token name = tokens.get(i - 1);
            if (!name.isName()
                    || !tokens.get(i).isWord("as")
                    || !tokens.get(i + 1).isWord("of")) {
                continue;
            }
            Token number = tokens.get(i + 2).isWord("version") ? tokens.get(i + 3) : tokens.get(i + 2);
            if (!number.text().matches("\\d{1,15}")) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "AS OF takes the number of a version", number.start());
            }
            String versioned = '"' + name.text().replace("\"", "\"\"") + MARK + number.text() + '"';
            int length = number.end() - name.start();
            rewritten.replace(name.start(), number.end(), versioned + " ".repeat(length - versioned.length()));
        }
        return rewritten.toString();
    }

    public static Optional<Versioned> parse(String name) {
        int mark = name.lastIndexOf(MARK);
        boolean versioned = mark > 0 && name.substring(mark + 1).matches("\\d{1,15}");
        return versioned
                ? Optional.of(new Versioned(name.substring(0, mark), Long.parseLong(name.substring(mark + 1))))
                : Optional.empty();
    }

    /** The name by which the rest of a query refers to the table: without the version. */
    public static String plain(String name) {
        return parse(name).map(Versioned::name).orElse(name);
    }
}
