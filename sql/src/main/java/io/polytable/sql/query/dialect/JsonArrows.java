package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Operator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Rewrites chains of arrows with constant steps, {@code doc -> 'a' -> 0 ->> 'b'}, to one call with a path. DuckDB reads
 * numbers of a document as DOUBLE and shows {@code 1.50} as {@code 1.5}; the macros read those from the text instead.
 */
final class JsonArrows {
    private static final String TEXT = "->>";
    private static final String JSON = "->";

    private JsonArrows() {}

    static boolean isArrow(Expression value) {
        return value instanceof Operator operator
                && operator.isBinary()
                && (operator.symbol().equals(TEXT) || operator.symbol().equals(JSON));
    }

    /** Whether the value is a document that an arrow gives. */
    static boolean isDocument(Expression value) {
        return value instanceof Operator operator
                && operator.isBinary()
                && operator.symbol().equals(JSON);
    }

    static Expression apply(Operator arrow) {
        return asPath(arrow)
                .orElseGet(() -> arrow.symbol().equals(TEXT)
                        ? arrow
                        : Call.of("json_extract", arrow.at(), arrow.left(), arrow.right()));
    }

    private static Optional<Expression> asPath(Operator arrow) {
        Deque<String> steps = new ArrayDeque<>();
        Expression base = arrow;
        while (base instanceof Operator next && isArrow(base)) {
            String step = step(next.right());
            // A pointer stands for a whole path, so that nothing can stand before or behind it.
            if (step.isEmpty() || (step.startsWith("/") && (!steps.isEmpty() || isArrow(next.left())))) {
                return Optional.empty();
            }
            steps.push(step);
            base = next.left();
        }
        if (!isRepeatable(base)) {
            return Optional.empty();
        }
        String path = String.join("", steps);
        String macro = arrow.symbol().equals(TEXT) ? "pg_json_text_at" : "pg_json_at";
        return Optional.of(Call.of(macro, arrow.at(), base, Constant.of(path.startsWith("/") ? path : "$" + path)));
    }

    /** The macro repeats the document. */
    private static boolean isRepeatable(Expression base) {
        Expression inner = base instanceof Expression.Cast cast ? cast.operand() : base;
        return inner instanceof Expression.Column || inner instanceof Constant;
    }

    /** A step as part of DuckDB's path; empty if it is no constant, or one that a path cannot have. */
    private static String step(Expression value) {
        if (!(value instanceof Constant constant)) {
            return "";
        }
        String text = constant.text();
        if (constant.kind() == Constant.Kind.INTEGER && text.length() < 10) {
            return text.startsWith("-") ? "[#" + text + "]" : "[" + text + "]";
        }
        if (constant.kind() != Constant.Kind.STRING || text.isEmpty()) {
            return "";
        }
        if (text.startsWith("/")) {
            return text;
        }
        boolean plain = !text.startsWith("$") && text.indexOf('"') < 0 && text.indexOf('\\') < 0;
        return plain ? ".\"" + text + "\"" : "";
    }
}
