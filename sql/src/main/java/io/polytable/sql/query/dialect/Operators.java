package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Operator;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The operators that a query may use, in terms of DuckDB's operators and functions. */
public final class Operators {
    /** {@code ||} between JSON documents. */
    static final String CONCATENATION = "~|";

    /** {@code -} behind a JSON document. */
    static final String REMOVAL = "~-";

    /** Those that DuckDB has with the same meaning. */
    private static final Set<String> BINARY = Set.of(
            "+", "-", "*", "/", "//", "%", "^", "**", "||", "&", "|", "<<", ">>", "@>", "<@", "&&", "^@", "->>", "#>",
            "#>>", "~~", "!~~", "~~*", "!~~*", "<->", "<=>");

    private static final Set<String> UNARY = Set.of("+", "-", "~", "@");

    private Operators() {}

    /**
     * The operands of a chain of {@code ||}; the first one also checks the size of the result.
     *
     * @param derived whether columns may be results of other parts of the query, and so already large
     */
    public static List<Expression> concatenated(List<Expression> operands, boolean derived) {
        return ValueGuards.sum(operands, derived);
    }

    /** The operator as DuckDB has it. */
    public static Expression apply(Operator operator) {
        List<Expression> operands = operator.operands();
        return switch (operator.symbol()) {
            case "->", "->>" -> operator.isBinary() ? JsonArrows.apply(operator) : known(operator);
            case "#" -> operator.isBinary() ? Call.of("xor", operator.at(), operands) : known(operator);
            case CONCATENATION -> Call.of("pg_json_concat", operator.at(), operands);
            case REMOVAL -> Call.of("pg_json_without", operator.at(), operands);
            case "similar to" -> similar(operator);
            case "~" -> operator.isBinary() ? matches(operator, false) : operator;
            case "~*" -> matches(operator, true);
            case "~~" -> like(operator, "like_escape");
            case "!~~" -> like(operator, "not_like_escape");
            case "~~*" -> like(operator, "ilike_escape");
            case "!~~*" -> like(operator, "not_ilike_escape");
            default -> known(operator);
        };
    }

    private static Operator known(Operator operator) {
        boolean known = operator.isBinary()
                ? BINARY.contains(operator.symbol())
                : operator.operands().size() == 1 && UNARY.contains(operator.symbol());
        if (!known) {
            throw new SqlError(
                    SqlCode.UNDEFINED_FUNCTION,
                    "operator does not exist: " + operator.symbol(),
                    operator.at().offset());
        }
        return operator;
    }

    private static Expression matches(Operator operator, boolean caseless) {
        List<Expression> arguments = new ArrayList<>(operator.operands());
        if (caseless) {
            arguments.add(Constant.of("i"));
        }
        return Call.of("regexp_matches", operator.at(), arguments);
    }

    private static Expression similar(Operator operator) {
        Expression pattern = Call.of("pg_similar", operator.right().at(), operator.right());
        return Call.of("regexp_matches", operator.at(), operator.left(), pattern);
    }

    /** The backslash is the escape character of LIKE, as in PostgreSQL. */
    private static Expression like(Operator operator, String escaping) {
        List<Expression> arguments = new ArrayList<>(operator.operands());
        if (arguments.size() == 2) {
            boolean plain = arguments.get(1) instanceof Constant pattern
                    && pattern.text().indexOf('\\') < 0;
            if (plain) {
                return operator;
            }
            arguments.add(Constant.of("\\"));
        }
        return Call.of(escaping, operator.at(), arguments);
    }
}
