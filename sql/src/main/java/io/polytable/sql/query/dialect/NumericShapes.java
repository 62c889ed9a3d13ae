package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Cast;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Operator;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

/**
 * Rewrites what would lose digits of a DECIMAL in DuckDB: a cast to NUMERIC without digits, quotients and averages, which
 * DuckDB computes as DOUBLE. A macro has a variant for each kind of operand, and only DuckDB knows the types; so a call
 * passes {@code pg_kind} of its operands, whose type selects the variant.
 */
final class NumericShapes {
    /** The macro whose call says that DuckDB selects variants by the types of operands. */
    static final String KIND = "pg_kind";

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

    /** DuckDB would read a literal of more digits as a DOUBLE. */
    static Expression literal(Constant constant) {
        if (constant.kind() != Constant.Kind.NUMBER && constant.kind() != Constant.Kind.INTEGER) {
            return constant;
        }
        String text = constant.text();
        boolean exponent = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
        boolean tooLarge = exponent
                ? Double.isInfinite(Double.parseDouble(text))
                : text.length() > SqlType.DECIMAL_DIGITS_MAX && Numerics.digits(text) > SqlType.DECIMAL_DIGITS_MAX;
        if (tooLarge) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE,
                    "a number has at most " + SqlType.DECIMAL_DIGITS_MAX + " digits",
                    constant.at().offset());
        }
        boolean wide = constant.kind() == Constant.Kind.NUMBER && !exponent && text.length() > WIDE_CHARS;
        return wide ? exact(constant) : constant;
    }

    /** DuckDB counts the zero before the point as a digit, and reads what then has too many of them as a DOUBLE. */
    private static Cast exact(Constant constant) {
        SqlType exact = SqlType.of(Numerics.parsed(constant.text()));
        return new Cast(
                new Constant(Constant.Kind.STRING, constant.text(), constant.at()),
                TypeName.decimal(exact.precision(), exact.scale()),
                constant.at());
    }

    /** Whether a cast is one to NUMERIC without digits. */
    static boolean isUnbounded(Cast cast) {
        return cast.type().is("DECIMAL") && cast.type().digits().isEmpty() && !cast.tried();
    }

    /** A cast to NUMERIC keeps all digits: of a constant those that it has, otherwise those of the operand's type. */
    static Expression cast(Cast cast, boolean byKind) {
        Expression operand = cast.operand();
        if (operand instanceof Constant constant) {
            return constant(cast, constant);
        }
        return !byKind || isUnrepeatable(operand)
                ? Call.of("pg_numeric_text", cast.at(), operand)
                : Call.of("pg_numeric", cast.at(), operand, kindOf(operand));
    }

    private static Expression constant(Cast cast, Constant constant) {
        if (constant.kind() == Constant.Kind.NULL || constant.kind() == Constant.Kind.BOOLEAN) {
            return cast;
        }
        BigDecimal number = Numerics.parsed(constant.text());
        SqlType exact = SqlType.of(number);
        Constant plain = new Constant(Constant.Kind.STRING, number.toPlainString(), constant.at());
        return new Cast(plain, TypeName.decimal(exact.precision(), exact.scale()), cast.at());
    }

    /** Division, and products of two quotients: with all digits of both, those would soon need more than DuckDB has. */
    static Expression operator(Expression whole, String name, List<Expression> operands) {
        if (operands.size() != 2 || isUnrepeatable(whole)) {
            return whole;
        }
        Expression left = operands.get(0);
        Expression right = operands.get(1);
        boolean quotient = name.equals("/") || name.equals("//");
        boolean product = name.equals("*") && isInexact(left) && isInexact(right);
        boolean typed = !Expression.isConstant(left, Constant.Kind.STRING)
                && !Expression.isConstant(right, Constant.Kind.STRING);
        if (!typed || !(product || quotient || name.equals("div"))) {
            return whole;
        }
        String macro = product ? "pg_product" : quotient ? "pg_quotient" : "pg_div";
        return Call.of(macro, whole.at(), left, right, kind(left, right));
    }

    /** Replaces {@code avg(x)} by the quotient of {@code sum(x)} and {@code count(x)}, as aggregates or windows. */
    static Expression mean(Call call) {
        if (call.size() != 1 || !call.function().equals("avg") || isUnrepeatable(call)) {
            return call;
        }
        return Call.of("pg_mean", call.at(), call.named("sum"), call.named("count"), kindOf(call.argument(0)));
    }

    /** Whether an operand has a quotient or an average in it, which has more digits than any of its own operands. */
    private static boolean isInexact(Expression value) {
        return value.has(each -> (each instanceof Operator operator
                        && (operator.symbol().equals("/") || operator.symbol().equals("//")))
                || (each instanceof Call call && call.function().equals("avg")));
    }

    /** Whether a value cannot be repeated in {@code pg_kind}: nobody knows a parameter's type, and a query reads tables. */
    static boolean isUnrepeatable(Expression value) {
        return value.has(each -> each instanceof Expression.Parameter
                || each instanceof Expression.Subquery
                || each instanceof Expression.Quantified
                || (each instanceof Call call && OTHER_AGGREGATES.contains(call.function())));
    }

    private static Expression kind(Expression left, Expression right) {
        return Call.of("pg_kinds", left.at(), kindOf(left), kindOf(right));
    }

    /** Arithmetic and aggregates have the kind of their operands, whatever digits a result of theirs would have. */
    private static Expression kindOf(Expression operand) {
        if (operand instanceof Operator operator && operator.isBinary() && ARITHMETIC.contains(operator.symbol())) {
            return kind(operator.left(), operator.right());
        }
        if (operand instanceof Operator operator
                && !operator.isBinary()
                && operator.symbol().equals("-")) {
            return kindOf(operator.left());
        }
        if (operand instanceof Call call && call.size() > 0 && SAME_KIND.contains(call.function())) {
            return kindOf(call.argument(0));
        }
        if (operand instanceof Call call && call.size() == 1 && call.function().equals("avg")) {
            // An average of integers is a DECIMAL.
            return Call.of("pg_kinds", call.at(), kindOf(call.argument(0)), Call.of(KIND, call.at(), fraction()));
        }
        return Call.of(KIND, operand.at(), simplified(operand));
    }

    private static Constant fraction() {
        return new Constant(Constant.Kind.NUMBER, "0.5", At.NOWHERE);
    }

    /** A value that has the operand's kind, and is not rewritten itself: nested quotients would grow exponentially. */
    private static Expression simplified(Expression value) {
        if (value instanceof Operator operator && operator.isBinary() && KEEPING_KIND.contains(operator.symbol())) {
            return new Operator("+", simplified(operator.left()), simplified(operator.right()), operator.at());
        }
        if (value instanceof Call call) {
            if (COUNTS.contains(call.function())) {
                return Constant.of(1);
            }
            if (SAME_KIND.contains(call.function()) && call.size() > 0) {
                return simplified(call.argument(0));
            }
            if (call.function().equals("avg") && call.size() == 1) {
                // An average of integers is a DECIMAL, and so is their sum with a fraction.
                return new Operator("+", simplified(call.argument(0)), fraction(), call.at());
            }
        }
        return value.map(NumericShapes::simplified);
    }
}
