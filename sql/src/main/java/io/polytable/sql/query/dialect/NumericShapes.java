package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.math.BigDecimal;
import java.util.Set;

/**
 * Rewrites what would lose digits of a DECIMAL in DuckDB: a cast to NUMERIC without digits, quotients and averages, which
 * DuckDB computes as DOUBLE. A macro has a variant for each kind of operand, and only DuckDB knows the types; so a call
 * passes {@code pg_kind} of its operands, whose type selects the variant.
 */
final class NumericShapes {
    /** What cannot be repeated in {@code pg_kind}: the type of a parameter is unknown, and a subquery reads tables. */
    private static final Set<String> UNREPEATABLE = Set.of("PARAMETER", "SUBQUERY");

    /** Aggregates and window functions whose result is of the kind of their first argument. */
    private static final Set<String> SAME_KIND = Set.of(
            "sum",
            "min",
            "max",
            "any_value",
            "first",
            "last",
            "arg_min",
            "arg_max",
            "min_by",
            "max_by",
            "lag",
            "lead",
            "first_value",
            "last_value",
            "nth_value");

    /** Aggregates and window functions that count. */
    private static final Set<String> COUNTS =
            Set.of("count", "count_star", "row_number", "rank", "dense_rank", "ntile");

    /** Other aggregates: DuckDB does not know their type when it selects the variant of a macro. */
    private static final Set<String> OTHER_AGGREGATES = Set.of(
            "median",
            "mode",
            "quantile",
            "quantile_cont",
            "quantile_disc",
            "percentile_cont",
            "percentile_disc",
            "stddev",
            "stddev_pop",
            "stddev_samp",
            "variance",
            "var_pop",
            "var_samp",
            "corr",
            "covar_pop",
            "covar_samp",
            "regr_slope",
            "regr_intercept",
            "regr_count",
            "regr_r2",
            "regr_avgx",
            "regr_avgy",
            "regr_sxx",
            "regr_sxy",
            "regr_syy",
            "bit_and",
            "bit_or",
            "bit_xor",
            "product",
            "favg",
            "fsum",
            "kahan_sum",
            "sumkahan",
            "mad",
            "skewness",
            "kurtosis",
            "kurtosis_pop",
            "entropy",
            "approx_count_distinct",
            "approx_quantile",
            "geomean",
            "geometric_mean",
            "percent_rank",
            "cume_dist",
            "weighted_avg",
            "wavg",
            "sem",
            "reservoir_quantile",
            "arbitrary",
            "list",
            "array_agg",
            "histogram",
            "count_if",
            "countif",
            "bool_and",
            "bool_or",
            "every");

    /** A literal may have this many characters and certainly fits a DECIMAL of DuckDB. */
    private static final int WIDE_CHARS = 36;

    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "//", "%");

    /** In the copy of an operand whose kind is asked for: operators that keep the kind, but not the digits. */
    private static final Set<String> KEEPING_KIND = Set.of("/", "//", "*");

    private NumericShapes() {}

    /** Whether a tree selects variants of macros by the kinds of operands. */
    static boolean asksForKinds(JsonNode node) {
        if (node.path("function_name").asText().equals("pg_kind")) {
            return true;
        }
        for (JsonNode child : node) {
            if (asksForKinds(child)) {
                return true;
            }
        }
        return false;
    }

    /** DuckDB would read a literal of more digits as a DOUBLE. */
    static void literal(ObjectNode constant) {
        String kind = constant.path("literal").path("kind").asText();
        if (!kind.equals("NUMERIC") && !kind.equals("INTEGER")) {
            return;
        }
        String text = constant.path("literal").path("text").asText();
        boolean exponent = text.contains("e") || text.contains("E");
        boolean hex = text.contains("x") || text.contains("X");
        boolean tooLarge = exponent
                ? !hex && Double.isInfinite(Double.parseDouble(text.replace("_", "")))
                : text.length() > SqlType.DECIMAL_DIGITS_MAX && Numerics.digits(text) > SqlType.DECIMAL_DIGITS_MAX;
        if (tooLarge) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE,
                    "a number has at most " + SqlType.DECIMAL_DIGITS_MAX + " digits",
                    constant.path("query_location").asInt());
        }
        if (kind.equals("NUMERIC") && !exponent && text.length() > WIDE_CHARS) {
            exactLiteral(constant, text);
        }
    }

    /** DuckDB counts the zero before the point as a digit, and reads what then has too many of them as a DOUBLE. */
    private static void exactLiteral(ObjectNode constant, String text) {
        SqlType exact = SqlType.of(Numerics.parsed(text));
        ObjectNode child = constant.deepCopy();
        child.put("alias", "");
        child.putObject("literal").put("kind", "STRING").put("text", text.replace("_", ""));
        constant.remove("literal");
        constant.put("class", "CAST").put("type", "OPERATOR_CAST").put("try_cast", false);
        constant.set("child", child);
        ObjectNode type = constant.putObject("type_expr");
        type.put("class", "TYPE")
                .put("type", "TYPE")
                .put("alias", "")
                .put("catalog", "")
                .put("schema", "");
        type.put("type_name", "DECIMAL");
        ArrayNode digits = type.putArray("children");
        integer(digits.addObject(), exact.precision());
        integer(digits.addObject(), exact.scale());
        type.putObject("qualified_name").putArray("path").add("DECIMAL");
    }

    /** A cast to NUMERIC keeps all digits: of a constant those that it has, otherwise those of the operand's type. */
    static void cast(ObjectNode cast, boolean byKind) {
        JsonNode type = cast.path("type_expr");
        boolean bare = type.path("type_name").asText().equals("DECIMAL")
                && type.path("children").isEmpty();
        if (!bare || cast.path("try_cast").asBoolean()) {
            return;
        }
        ObjectNode child = (ObjectNode) cast.path("child");
        if (child.path("class").asText().equals("CONSTANT")) {
            constant((ObjectNode) type, (ObjectNode) child.path("literal"));
        } else if (!byKind || has(child, UNREPEATABLE)) {
            become(cast, "pg_numeric_text", child);
        } else {
            become(cast, "pg_numeric", child, kind(cast, child));
        }
    }

    private static void constant(ObjectNode type, ObjectNode literal) {
        String kind = literal.path("kind").asText();
        if (!kind.equals("STRING") && !kind.equals("NUMERIC") && !kind.equals("INTEGER")) {
            return;
        }
        BigDecimal number = Numerics.parsed(literal.path("text").asText());
        SqlType exact = SqlType.of(number);
        literal.put("kind", "STRING").put("text", number.toPlainString());
        ArrayNode digits = type.putArray("children");
        integer(digits.addObject(), exact.precision());
        integer(digits.addObject(), exact.scale());
    }

    private static void integer(ObjectNode node, int value) {
        number(node, "INTEGER", Integer.toString(value));
    }

    private static void number(ObjectNode node, String kind, String text) {
        node.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
        node.putObject("literal").put("kind", kind).put("text", text);
    }

    /** Division, and products of two quotients: with all digits of both, those would soon need more than DuckDB has. */
    static void operator(ObjectNode function, String name) {
        if (function.path("arguments").size() != 2 || has(function, UNREPEATABLE)) {
            return;
        }
        ObjectNode left = Dialect.argument(function, 0);
        ObjectNode right = Dialect.argument(function, 1);
        boolean quotient = name.equals("/") || name.equals("//");
        boolean product = name.equals("*") && isInexact(left) && isInexact(right);
        boolean typed = !Dialect.isConstant(left, "STRING") && !Dialect.isConstant(right, "STRING");
        if (typed && (product || quotient || name.equals("div"))) {
            String macro = product ? "pg_product" : quotient ? "pg_quotient" : "pg_div";
            become(function, macro, left, right, kind(function, left, right));
        }
    }

    /** Replaces {@code avg(x)} by the quotient of {@code sum(x)} and {@code count(x)}, as aggregates or windows. */
    static void mean(ObjectNode function) {
        boolean single = function.path("arguments").size() == 1;
        if (!single || !function.path("function_name").asText().equals("avg") || has(function, UNREPEATABLE)) {
            return;
        }
        ObjectNode total = renamed(function, "sum");
        ObjectNode count = renamed(function, "count");
        become(function, "pg_mean", total, count, kind(function, Dialect.argument(function, 0)));
    }

    private static ObjectNode renamed(ObjectNode function, String name) {
        ObjectNode other = function.deepCopy();
        other.put("alias", "");
        KnownFunctions.rename(other, name);
        return other;
    }

    /** Whether an operand has a quotient or an average in it, which has more digits than any of its own operands. */
    private static boolean isInexact(JsonNode node) {
        String name = node.path("function_name").asText();
        if (name.equals("/") || name.equals("//") || name.equals("avg")) {
            return true;
        }
        for (JsonNode child : node) {
            if (isInexact(child)) {
                return true;
            }
        }
        return false;
    }

    static boolean isUnrepeatable(JsonNode node) {
        return has(node, UNREPEATABLE);
    }

    private static boolean has(JsonNode node, Set<String> classes) {
        if (classes.contains(node.path("class").asText())
                || OTHER_AGGREGATES.contains(node.path("function_name").asText())) {
            return true;
        }
        for (JsonNode child : node) {
            if (has(child, classes)) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode kind(ObjectNode near, ObjectNode... operands) {
        ObjectNode kind = kindOf(operands[0]);
        for (int i = 1; i < operands.length; i++) {
            kind = call(near, "pg_kinds", kind, kindOf(operands[i]));
        }
        return kind;
    }

    /** Arithmetic and aggregates have the kind of their operands, whatever digits a result of theirs would have. */
    private static ObjectNode kindOf(ObjectNode operand) {
        String name = operand.path("function_name").asText();
        int arguments = operand.path("arguments").size();
        if (ARITHMETIC.contains(name) && arguments == 2) {
            return kind(operand, Dialect.argument(operand, 0), Dialect.argument(operand, 1));
        }
        if (arguments > 0 && (SAME_KIND.contains(name) || (name.equals("-") && arguments == 1))) {
            return kindOf(Dialect.argument(operand, 0));
        }
        if (name.equals("avg") && arguments == 1) {
            // An average of integers is a DECIMAL.
            ObjectNode fraction = operand.objectNode();
            number(fraction, "NUMERIC", "0.5");
            return call(operand, "pg_kinds", kindOf(Dialect.argument(operand, 0)), call(operand, "pg_kind", fraction));
        }
        return call(operand, "pg_kind", plain(operand));
    }

    private static ObjectNode call(ObjectNode near, String function, JsonNode... arguments) {
        ObjectNode call = near.objectNode();
        call.set("query_location", near.path("query_location"));
        become(call, function, arguments);
        return call;
    }

    /** A copy that has the operand's kind, and is not rewritten itself: nested quotients would grow exponentially. */
    private static ObjectNode plain(ObjectNode operand) {
        ObjectNode copy = operand.deepCopy();
        copy.put("alias", "");
        simplify(copy);
        return copy;
    }

    private static void simplify(JsonNode node) {
        if (node instanceof ObjectNode object) {
            String name = object.path("function_name").asText();
            int arguments = object.path("arguments").size();
            if (KEEPING_KIND.contains(name) && arguments == 2) {
                KnownFunctions.rename(object, "+");
            } else if (COUNTS.contains(name)) {
                object.removeAll();
                number(object, "INTEGER", "1");
            } else if (SAME_KIND.contains(name) && arguments > 0) {
                object.setAll(replaced(object, Dialect.argument(object, 0)));
                simplify(object);
                return;
            } else if (name.equals("avg") && arguments == 1) {
                // An average of integers is a DECIMAL, and so is their sum with a fraction.
                ObjectNode operand = Dialect.argument(object, 0);
                ObjectNode fraction = object.objectNode();
                number(fraction, "NUMERIC", "0.5");
                become(object, "+", operand, fraction);
                object.put("is_operator", true);
            }
        }
        node.forEach(NumericShapes::simplify);
    }

    private static ObjectNode replaced(ObjectNode node, ObjectNode other) {
        node.removeAll();
        return other;
    }

    /** Replaces the node by a call, which keeps its alias. */
    private static void become(ObjectNode node, String function, JsonNode... arguments) {
        String alias = node.path("alias").asText();
        JsonNode location = node.path("query_location").deepCopy();
        node.removeAll();
        node.put("class", "FUNCTION").put("type", "FUNCTION").put("alias", alias);
        if (!location.isMissingNode()) {
            node.set("query_location", location);
        }
        node.put("function_name", function).put("schema", "").put("catalog", "");
        node.putNull("filter");
        node.putObject("order_bys").put("type", "ORDER_MODIFIER").putArray("orders");
        node.put("distinct", false).put("is_operator", false).put("export_state", false);
        ArrayNode list = node.putArray("arguments");
        for (JsonNode argument : arguments) {
            list.addObject().put("name", "").set("expression", argument);
        }
        node.putObject("qualified_name").putArray("path").add(function);
    }
}
