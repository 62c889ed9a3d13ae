package io.polytable.sql.query.duck;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DuckDB's texts of common errors, in the words that our own evaluator uses for the same error: which of the two evaluates a
 * statement must not show.
 */
final class ErrorTexts {
    private static final Map<String, String> TYPES =
            Map.of("INT16", "smallint", "INT32", "int", "INT64", "bigint", "INT128", "decimal", "FLOAT", "float");

    private static final List<Rewording> REWORDINGS = List.of(
            new Rewording("Max expression depth limit of .*", found -> "the statement is nested too deeply"),
            new Rewording("Division by zero in expression.*", found -> "division by zero"),
            new Rewording(
                    "Overflow in (?:\\w+) of DECIMAL.*",
                    found ->
                            "decimal out of range: it needs more than 38 digits; round quotients before they are multiplied"),
            new Rewording("Overflow in \\w+ of (\\w+) \\(.*\\)!", found -> type(found.group(1)) + " out of range"),
            new Rewording(
                    "Type \\w+ with value (.*) can't be cast because the value is out of range for the destination type (\\w+)",
                    found -> outOfRange(found.group(1), found.group(2))),
            new Rewording(
                    "Casting value \"(.*)\" to type (\\S+) failed: value is out of range!",
                    found -> outOfRange(found.group(1), found.group(2))),
            new Rewording(
                    "Could not cast value (\\S+) to (\\S+)(?: when .*)?",
                    found -> outOfRange(found.group(1), found.group(2))),
            new Rewording(
                    "Failed to cast decimal value (\\S+) to type (\\S+)(?: when .*)?",
                    found -> outOfRange(found.group(1), found.group(2))),
            new Rewording(
                    "Could not (?:convert|cast) string [\"'](.*)[\"'] to (INT16|INT32|INT64|FLOAT|DOUBLE|DECIMAL\\S*)",
                    found -> "invalid input syntax for type " + type(found.group(2)) + ": \"" + found.group(1) + "\""),
            new Rewording(
                    "(column .* must appear in the GROUP BY clause or) must be part of an aggregate function\\.",
                    found -> found.group(1) + " be used in an aggregate function"));

    private record Rewording(Pattern theirs, Function<MatchResult, String> ours) {
        Rewording(String theirs, Function<MatchResult, String> ours) {
            this(Pattern.compile(theirs), ours);
        }
    }

    private ErrorTexts() {}

    static String reworded(String text) {
        for (Rewording rewording : REWORDINGS) {
            Matcher matcher = rewording.theirs().matcher(text);
            if (matcher.matches()) {
                return rewording.ours().apply(matcher);
            }
        }
        return text;
    }

    private static String outOfRange(String value, String type) {
        return "value \"" + value + "\" is out of range for type " + type(type);
    }

    private static String type(String theirs) {
        return TYPES.getOrDefault(theirs, theirs.toLowerCase(Locale.ROOT));
    }
}
