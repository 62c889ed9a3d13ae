package io.polytable.sql.query.dialect;

import io.polytable.sql.syntax.JsonPath;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rewrites function calls with several signatures or any number of arguments to what our macros take. */
final class FunctionShapes {
    private static final int GROUPS_MAX = 4;

    private FunctionShapes() {}

    /** @param name the function that the client called; a guard may have renamed the call */
    static Expression apply(Call call, String name) {
        int arguments = call.size();
        return switch (name) {
            case "concat", "concat_ws" ->
                call.with(Expression.mapped(call.values(), value -> Dialect.asText(value, "pg_text")));
            case "format" -> packed(call, 1).named("pg_format_any");
            case "num_nulls", "num_nonnulls" -> packed(call, 0);
            case "to_timestamp" -> renamed(call, arguments == 2, "pg_to_timestamp");
            case "regexp_match" -> call.named("pg_regexp_match_" + groups(call));
            case "regexp_matches" -> call.named("pg_regexp_matches");
            case "extract", "date_part", "datepart" -> seconds(call);
            case "lpad", "rpad" -> padded(call, name);
            case "substring", "substr" -> substring(call);
            case "array_to_string" -> renamed(call, arguments == 3, "pg_array_to_string");
            case "encode" -> renamed(call, arguments == 2, "pg_encode");
            case "decode" -> renamed(call, arguments == 2, "pg_decode");
            case "split_part" -> renamed(call, arguments == 3, "pg_split_part");
            case "to_hex" -> {
                // The type of a parameter is unknown, so that no variant could be selected by it.
                boolean typed = arguments == 1 && !NumericShapes.isUnrepeatable(call);
                yield call.named(typed ? "pg_to_hex_typed" : "pg_to_hex");
            }
            case "string_to_array" -> renamed(call, arguments == 2, "pg_string_to_array");
            case "error" -> raised(call);
            case "div" -> call.named("divide");
            case "date_trunc" -> truncated(call);
            case "regexp_replace" -> {
                boolean constant = arguments > 2 && Expression.isConstant(call.argument(2), Constant.Kind.STRING);
                yield constant
                        ? call.withArgument(2, Constant.of(replacement(text(call.argument(2)), groupsMax(call))))
                        : call;
            }
            case "chr" -> renamed(call, arguments == 1, "pg_chr");
            case "log" -> renamed(call, arguments == 1, "pg_log");
            default -> json(call, name);
        };
    }

    private static Expression json(Call call, String name) {
        return switch (name) {
            case "json_agg", "jsonb_agg" -> Call.of("to_json", call.at(), call.named("list"));
            // The order of an object's keys has no meaning, and DuckDB's function does not accept ORDER BY.
            case "json_object_agg", "jsonb_object_agg" -> call.with(List.of(), false);
            case "json_extract_path", "jsonb_extract_path" -> path(call, "json_extract");
            case "json_extract_path_text", "jsonb_extract_path_text" -> path(call, "json_extract_string");
            case "jsonb_set" -> set(call);
            default -> call;
        };
    }

    private static Call renamed(Call call, boolean condition, String name) {
        return condition ? call.named(name) : call;
    }

    private static String text(Expression constant) {
        return constant instanceof Constant known ? known.text() : "";
    }

    /** A century begins with its year 1, as in PostgreSQL; DuckDB's with its year 0. */
    private static Call truncated(Call call) {
        if (call.size() != 2) {
            return call;
        }
        if (!Expression.isConstant(call.argument(0), Constant.Kind.STRING)) {
            return call.named("pg_date_trunc");
        }
        int years = switch (text(call.argument(0)).toLowerCase(Locale.ROOT)) {
            case "century", "centuries", "c" -> 100;
            case "millennium", "millennia", "mil" -> 1000;
            default -> 0;
        };
        return years == 0
                ? call
                : call.with(List.of(call.argument(1), Constant.of(years))).named("pg_years");
    }

    /** An error of DuckDB has the client's text, but none of our codes. */
    private static Call raised(Call call) {
        return call.size() == 1
                ? Call.of("pg_raise", call.at(), Constant.of("DATA_EXCEPTION"), call.argument(0), Constant.of(""))
                : call;
    }

    /** The highest group that a constant pattern has. */
    private static int groupsMax(Call call) {
        return Expression.isConstant(call.argument(1), Constant.Kind.STRING) ? groupsIn(call) : Integer.MAX_VALUE;
    }

    /**
     * PostgreSQL's replacement in RE2's syntax: the whole match is 0, other characters may follow a backslash, and a group
     * that the pattern does not have is empty.
     */
    private static String replacement(String text, int groups) {
        StringBuilder written = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            if (c != '\\') {
                written.append(c);
            } else if (next == '&') {
                written.append("\\0");
                i++;
            } else if (next == '\\' || (next >= '1' && next <= '9')) {
                written.append(next != '\\' && next - '0' > groups ? "" : "" + c + next);
                i++;
            } else {
                written.append("\\\\");
            }
        }
        return written.toString();
    }

    /** In PostgreSQL the parts {@code second} and {@code millisecond} have a fraction. */
    private static Call seconds(Call call) {
        boolean constant = call.size() == 2 && Expression.isConstant(call.argument(0), Constant.Kind.STRING);
        String macro = switch (constant ? text(call.argument(0)).toLowerCase(Locale.ROOT) : "") {
            case "second", "seconds" -> "pg_seconds";
            case "millisecond", "milliseconds" -> "pg_milliseconds";
            default -> "";
        };
        return macro.isEmpty()
                ? call.named("date_part")
                : call.with(List.of(call.argument(1))).named(macro);
    }

    private static Call padded(Call call, String name) {
        List<Expression> arguments = new ArrayList<>(call.values());
        if (arguments.size() == 2) {
            arguments.add(Constant.of(" "));
        }
        return call.with(arguments).named("pg_" + name);
    }

    private static Call substring(Call call) {
        if (call.size() == 2 && Expression.isConstant(call.argument(1), Constant.Kind.STRING)) {
            return call.named(groups(call) > 0 ? "pg_substring_group" : "regexp_substr");
        }
        return call.named(call.size() == 2 ? "pg_substring_from" : "pg_substring");
    }

    /** Replaces the path of {@code f(json, 'a', 'b')} by a JSON pointer. */
    private static Call path(Call call, String name) {
        List<String> steps = new ArrayList<>();
        for (int i = 1; i < call.size(); i++) {
            if (!Expression.isConstant(call.argument(i), Constant.Kind.STRING)) {
                return call;
            }
            steps.add(text(call.argument(i)));
        }
        return call.size() == 0
                ? call
                : call.with(List.of(call.argument(0), Constant.of(JsonPath.pointer(steps))))
                        .named(name);
    }

    /** Replaces the path of {@code jsonb_set} by a JSON list, and adds the last argument if it is missing. */
    private static Call set(Call call) {
        if (call.size() != 3 && call.size() != 4) {
            return call;
        }
        List<Expression> arguments = new ArrayList<>(call.values());
        Expression path = arguments.get(1);
        arguments.set(
                1,
                Expression.isConstant(path, Constant.Kind.STRING)
                        ? Constant.of(JsonPath.list(JsonPath.steps(text(path))))
                        : Call.of("to_json", path.at(), path));
        if (arguments.size() == 3) {
            arguments.add(Constant.of("true"));
        }
        return call.with(arguments).named("pg_json_set");
    }

    /** Packs the arguments from an index on into one JSON list, because macros have a fixed number of parameters. */
    private static Call packed(Call call, int from) {
        List<Expression> all = call.values();
        int start = Math.min(from, all.size());
        List<Expression> arguments = new ArrayList<>(all.subList(0, start));
        arguments.add(Call.of("json_array", call.at(), all.subList(start, all.size())));
        return call.with(arguments);
    }

    /** The number of groups in a constant pattern; zero means the whole match. */
    private static int groups(Call call) {
        return Math.min(groupsIn(call), GROUPS_MAX);
    }

    private static int groupsIn(Call call) {
        String text = call.size() > 1 ? text(call.argument(1)) : "";
        int groups = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[') {
                i = classEnd(text, i);
            } else if (c == '(' && !text.startsWith("(?", i)) {
                groups++;
            }
        }
        return groups;
    }

    /** The place of the bracket that closes a character class: not the first character in it, nor in {@code [:alpha:]}. */
    private static int classEnd(String text, int open) {
        int at = text.startsWith("[^", open) ? open + 2 : open + 1;
        at += text.startsWith("]", at) ? 1 : 0;
        for (; at < text.length() && text.charAt(at) != ']'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.startsWith("[:", at)) {
                int end = text.indexOf(":]", at + 2);
                at = end < 0 ? at : end + 1;
            }
        }
        return at;
    }
}
