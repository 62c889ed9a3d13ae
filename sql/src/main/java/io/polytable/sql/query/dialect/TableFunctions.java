package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Argument;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** PostgreSQL's table functions that expand JSON or split text, rewritten to lists that DuckDB unnests. */
public final class TableFunctions {
    private static final Set<String> KNOWN = Set.of("range", "generate_series", "unnest", "json_each", "json_tree");

    private static final Map<String, String> LISTS = Map.of(
            "json_array_elements", "pg_json_elements",
            "jsonb_array_elements", "pg_json_elements",
            "json_array_elements_text", "pg_json_texts",
            "jsonb_array_elements_text", "pg_json_texts",
            "json_object_keys", "json_keys",
            "jsonb_object_keys", "json_keys");

    /** Functions of an object's fields: a row for each, with the columns {@code key} and {@code value}. */
    private static final Map<String, String> FIELDS = Map.of(
            "json_each", "pg_json_entries",
            "jsonb_each", "pg_json_entries",
            "json_each_text", "pg_json_text_entries",
            "jsonb_each_text", "pg_json_text_entries");

    /** Functions that split a text into rows. */
    private static final Map<String, String> PIECES =
            Map.of("regexp_split_to_table", "regexp_split_to_array", "string_to_table", "string_to_array");

    private TableFunctions() {}

    /** Whether DuckDB's function of that name may be a source. */
    public static boolean knows(String name) {
        return KNOWN.contains(name);
    }

    /** The source that stands for a call; the same one if nothing does. */
    public static Source of(Source.Function source) {
        Call call = source.call();
        String name = call.function();
        String fields = FIELDS.get(name);
        if (fields != null && call.size() == 1) {
            return fields(source, call.named(fields));
        }
        boolean pieces = PIECES.containsKey(name);
        String list = pieces ? PIECES.get(name) : LISTS.get(name);
        if (list == null || call.size() != (pieces ? 2 : 1)) {
            return source;
        }
        String usual = pieces || name.endsWith("keys") ? name : "value";
        String column =
                source.alias().name().filter(alias -> !alias.equals(name)).orElse(usual);
        Source.Alias alias = source.alias().or(name).orColumns(List.of(column));
        return new Source.Function(
                Call.of("unnest", call.at(), call.named(list)),
                source.lateral(),
                source.ordinality(),
                alias,
                source.at());
    }

    private static Source fields(Source.Function source, Call list) {
        Expression recursive = new Constant(Constant.Kind.BOOLEAN, "true", list.at());
        Call unnest = Call.of("unnest", list.at())
                .withArguments(List.of(Argument.of(list), new Argument(Optional.of("recursive"), recursive)));
        Query pairs = Query.of(Query.Select.of(List.of(new Query.Item(unnest, Optional.empty())), Optional.empty()));
        Source.Alias alias = source.alias().or(source.call().function());
        return new Source.Derived(pairs, source.lateral(), alias, source.at());
    }
}
