package io.polytable.sql.query.dialect;

import io.polytable.sql.query.Names;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The allowlist of functions that a query may call: those of {@code functions.txt}, each with how its result may grow.
 */
public final class KnownFunctions {
    /** PostgreSQL's names of functions to DuckDB's or our macros'. */
    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("every", "bool_and"),
            Map.entry("date_bin", "time_bucket"),
            Map.entry("sha256", "pg_sha256"),
            Map.entry("jsonb_exists", "pg_json_has"),
            Map.entry("octet_length", "pg_octets"),
            Map.entry("length", "pg_length"),
            Map.entry("repeat", "pg_repeat"),
            Map.entry("sqrt", "pg_sqrt"),
            Map.entry("ln", "pg_ln"),
            Map.entry("normalize", "nfc_normalize"),
            Map.entry("json_object_keys", "pg_json_object_keys"),
            Map.entry("jsonb_object_keys", "pg_json_object_keys"),
            Map.entry("jsonb_object_agg", "json_group_object"),
            Map.entry("jsonb_pretty", "json_pretty"),
            Map.entry("jsonb_strip_nulls", "json_strip_nulls"),
            Map.entry("jsonb_path_query_first", "json_extract"),
            Map.entry("btrim", "trim"),
            Map.entry("statement_timestamp", "statement_timestamp"),
            Map.entry("uuid_v7", "uuidv7"),
            Map.entry("array_length", "pg_array_length"),
            Map.entry("json_build_object", "json_object"),
            Map.entry("jsonb_build_object", "json_object"),
            Map.entry("json_build_array", "json_array"),
            Map.entry("jsonb_build_array", "json_array"),
            Map.entry("jsonb_array_length", "json_array_length"),
            Map.entry("json_object_agg", "json_group_object"),
            Map.entry("to_jsonb", "to_json"),
            Map.entry("json_typeof", "pg_json_typeof"),
            Map.entry("jsonb_typeof", "pg_json_typeof"));

    /** Aggregates whose result depends on the order of rows. */
    private static final Set<String> ORDERED = Set.of(
            "string_agg",
            "array_agg",
            "json_agg",
            "jsonb_agg",
            "json_object_agg",
            "jsonb_object_agg",
            "json_group_array",
            "json_group_object",
            "group_concat",
            "listagg",
            "list",
            "first",
            "last",
            "any_value",
            "arbitrary",
            "mode");

    private final Map<String, Growth> growths;

    public KnownFunctions() {
        try (InputStream file = KnownFunctions.class.getResourceAsStream("functions.txt")) {
            if (file == null) {
                throw new IllegalStateException("functions.txt is not in the jar");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            growths = reader.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toUnmodifiableMap(
                            words -> words[0], words -> Growth.valueOf(words[1].toUpperCase(Locale.ROOT))));
        } catch (IOException failure) {
            throw new IllegalStateException("functions.txt cannot be read", failure);
        }
    }

    public boolean knows(String name) {
        return growths.containsKey(name) || RENAMED.containsKey(name);
    }

    /** Whether the result of an aggregate depends on the order of rows. */
    public static boolean dependsOnOrder(String name) {
        return ORDERED.contains(name);
    }

    Map<String, Growth> growths() {
        return growths;
    }

    /** Those of {@link #RENAMED} that are not listed themselves call a macro of ours or a function like their own. */
    private Growth growth(String name) {
        return growths.getOrDefault(name, growths.getOrDefault(RENAMED.getOrDefault(name, name), Growth.LINEAR));
    }

    /**
     * Renames PostgreSQL's functions to DuckDB's. Functions that would describe DuckDB itself become constants.
     *
     * @param derived whether columns may be results of other parts of the query, and so already large
     */
    public Expression replace(Call call, Names context, boolean derived) {
        String name = call.function();
        Call guarded = call.over().isPresent() ? call : ValueGuards.apply(call, growth(name), derived);
        String other = RENAMED.get(name);
        // A guard may have renamed it already.
        Call renamed = other != null && guarded.function().equals(name) ? guarded.named(other) : guarded;
        return switch (name) {
            case "current_user", "session_user", "user", "current_role" -> constant(call, context.user());
            case "current_schema" -> constant(call, context.namespace());
            case "current_database", "current_catalog" -> constant(call, "polytable");
            case "version" -> constant(call, "Polytable (PostgreSQL dialect)");
            default -> TimeFunctions.of(call).orElseGet(() -> FunctionShapes.apply(renamed, name));
        };
    }

    private static Constant constant(Call call, String text) {
        return new Constant(Constant.Kind.STRING, text, call.at());
    }
}
