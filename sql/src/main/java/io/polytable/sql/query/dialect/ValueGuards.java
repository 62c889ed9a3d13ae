package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Operator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Replaces calls whose results may be much larger than their arguments by variants that check the size first. */
final class ValueGuards {
    /** Other names of the same function. */
    private static final Map<String, String> SAME =
            Map.of("editdist3", "levenshtein", "array_resize", "list_resize", "jsonb_pretty", "json_pretty");

    private ValueGuards() {}

    static Call apply(Call call, Growth growth, boolean derived) {
        return switch (growth) {
            case EXPANDING ->
                call.size() > 0 && !isConstant(call.argument(0))
                        ? call.withArgument(0, wrapped("pg_expanding", call.argument(0)))
                        : call;
            case SUMMED -> {
                List<Expression> guarded = sum(call.values(), derived);
                Call changed = call;
                for (int i = 0; i < guarded.size(); i++) {
                    changed = changed.withArgument(i, guarded.get(i));
                }
                yield changed;
            }
            case QUADRATIC -> quadratic(call);
            case GUARDED -> guarded(call);
            case FIXED, LINEAR, COUNTED -> call;
        };
    }

    private static Call quadratic(Call call) {
        String same = SAME.getOrDefault(call.function(), call.function());
        return call.size() == (same.equals("json_pretty") ? 1 : 2) ? call.named("pg_" + same) : call;
    }

    private static Call guarded(Call call) {
        int arguments = call.size();
        return switch (SAME.getOrDefault(call.function(), call.function())) {
            case "replace" -> {
                boolean known = arguments == 3 && Expression.isConstant(call.argument(1), Constant.Kind.STRING);
                long replaced = known ? Math.max(bytes(call.argument(1)), 1) : 1;
                yield arguments == 3 && bytes(call.argument(2)) > replaced ? call.named("pg_replace") : call;
            }
            case "regexp_replace" -> {
                boolean removes = arguments > 2 && bytes(call.argument(2)) == 0;
                yield removes || (arguments != 3 && arguments != 4)
                        ? call
                        : call.named(arguments == 3 ? "pg_regexp_replace" : "pg_regexp_replace_flags");
            }
            case "range" -> call.named("pg_range_" + arguments);
            case "generate_series" -> call.named("pg_series_" + arguments);
            case "list_resize" -> call.named("pg_resized_" + arguments);
            case "bitstring" -> call.named("pg_bitstring");
            case "printf" -> arguments > 0 ? call.withArgument(0, wrapped("pg_printf_form", call.argument(0))) : call;
            // The others' own variants are macros of that name, or KnownFunctions or FunctionShapes select them.
            default -> call;
        };
    }

    private static Call wrapped(String function, Expression value) {
        return Call.of(function, value.at(), value);
    }

    /** The bytes of a constant text; of anything else more than any constant has. */
    private static long bytes(Expression value) {
        return value instanceof Constant constant && constant.kind() == Constant.Kind.STRING
                ? constant.text().getBytes(StandardCharsets.UTF_8).length
                : Long.MAX_VALUE;
    }

    /**
     * Checks the sum of the sizes before the first argument is used. Columns of tables are left unchecked: a row has a
     * limited size. A column of a subquery may be the sum of others, which doubles with every nested query.
     */
    static List<Expression> sum(List<Expression> arguments, boolean derived) {
        List<Integer> growing = new ArrayList<>();
        boolean small = !derived;
        for (int i = 0; i < arguments.size(); i++) {
            small &= isSmall(arguments.get(i));
            // A subquery would run twice.
            if (!isConstant(arguments.get(i)) && !arguments.get(i).has(ValueGuards::isQuery)) {
                growing.add(i);
            }
        }
        if (small || growing.size() < 2) {
            return arguments;
        }
        Expression first = arguments.get(growing.get(0));
        Expression total = wrapped("pg_size", first);
        for (int next : growing.subList(1, growing.size())) {
            total = new Operator("+", total, wrapped("pg_size", arguments.get(next)), first.at());
        }
        List<Expression> guarded = new ArrayList<>(arguments);
        guarded.set(growing.get(0), Call.of("pg_fitting", first.at(), first, total));
        return guarded;
    }

    private static boolean isQuery(Expression value) {
        return value instanceof Expression.Subquery || value instanceof Expression.Quantified;
    }

    private static boolean isConstant(Expression value) {
        return value instanceof Constant || value instanceof Expression.Parameter;
    }

    /** Whether a value is a column, a constant, or some of them concatenated. */
    private static boolean isSmall(Expression value) {
        if (isConstant(value) || value instanceof Expression.Column) {
            return true;
        }
        return value instanceof Operator operator
                && operator.symbol().equals("||")
                && operator.operands().stream().allMatch(ValueGuards::isSmall);
    }
}
