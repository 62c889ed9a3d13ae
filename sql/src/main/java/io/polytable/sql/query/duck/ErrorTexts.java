package io.polytable.sql.query.duck;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DuckDB's texts of errors, in the words that our own evaluator uses for the same error, or else PostgreSQL's: which
 * program evaluates a statement must not show. A text that is not listed here is not passed on.
 */
final class ErrorTexts {
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("BOOL", "boolean"),
            Map.entry("INT16", "smallint"),
            Map.entry("INT32", "int"),
            Map.entry("INTEGER", "int"),
            Map.entry("INTEGER_LITERAL", "int"),
            Map.entry("INT64", "bigint"),
            Map.entry("INT128", "decimal"),
            Map.entry("HUGEINT", "decimal"),
            Map.entry("STRING_LITERAL", "unknown"),
            Map.entry("VARCHAR", "text"),
            Map.entry("BLOB", "bytea"),
            Map.entry("FLOAT", "float"));

    private static final String SOURCE = " when casting from source column ";
    private static final Pattern OPERATOR = Pattern.compile("[-+*/%<>=~!@#&|^]+");
    private static final Pattern CLOCK = Pattern.compile(".*\\d.*");

    /** Above it DuckDB's own text is not worth a search. */
    private static final int CHARS_MAX = 10_000;

    private static final List<Rewording> REWORDINGS = rewordings();

    private record Rewording(Pattern theirs, Function<MatchResult, SqlError> ours) {}

    private ErrorTexts() {}

    /** Our error for a text of DuckDB; none if it is not known. */
    static Optional<SqlError> of(String text) {
        int source = text.lastIndexOf(SOURCE);
        String plain = source < 0 ? text : text.substring(0, source);
        if (plain.length() > CHARS_MAX) {
            return Optional.empty();
        }
        for (Rewording rewording : REWORDINGS) {
            Matcher matcher = rewording.theirs().matcher(plain);
            if (matcher.matches()) {
                return Optional.of(rewording.ours().apply(matcher));
            }
        }
        return Optional.empty();
    }

    /** What a client receives for an error whose text is unknown. */
    static String general(SqlCode code) {
        return switch (code) {
            case SYNTAX_ERROR -> "the query is not valid";
            case UNDEFINED_COLUMN -> "a column does not exist";
            case UNDEFINED_TABLE -> "a relation does not exist";
            case UNDEFINED_FUNCTION -> "a function or operator does not exist for the types of its arguments";
            case AMBIGUOUS_FUNCTION -> "a function or operator is not unique for the types of its arguments";
            case AMBIGUOUS_COLUMN -> "a column reference is ambiguous";
            case TYPE_MISMATCH -> "types do not fit each other";
            case INVALID_VALUE -> "a value cannot be converted to its type";
            case OUT_OF_RANGE, DATETIME_OVERFLOW -> "a value is out of range";
            case UNSUPPORTED -> "the query uses what is not supported";
            case LIMIT_EXCEEDED -> "the query exceeds a limit";
            default -> "the query cannot be answered";
        };
    }

    private static List<Rewording> rewordings() {
        List<Rewording> all = new ArrayList<>();
        ofSizes(all);
        ofNumbers(all);
        ofTimes(all);
        ofFunctions(all);
        ofNames(all);
        ofQueries(all);
        ofTypes(all);
        ofTexts(all);
        return List.copyOf(all);
    }

    private static void add(List<Rewording> all, String theirs, SqlCode code, Function<MatchResult, String> ours) {
        all.add(new Rewording(Pattern.compile(theirs, Pattern.DOTALL), found -> new SqlError(code, ours.apply(found))));
    }

    private static void add(List<Rewording> all, String theirs, SqlCode code, String ours) {
        add(all, theirs, code, found -> ours);
    }

    private static void ofSizes(List<Rewording> all) {
        add(all, "Max expression depth limit of .*", SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply");
        add(all, "Maximum tree depth of .*", SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply");
    }

    private static void ofNumbers(List<Rewording> all) {
        add(all, "Division by zero.*", SqlCode.DIVISION_BY_ZERO, "division by zero");
        add(
                all,
                "Overflow in (?:\\w+) of DECIMAL.*",
                SqlCode.OUT_OF_RANGE,
                "decimal out of range: it needs more than 38 digits; round quotients before they are multiplied");
        add(
                all,
                "Overflow in \\w+ of (\\w+) \\(.*\\)!",
                SqlCode.OUT_OF_RANGE,
                found -> type(found.group(1)) + " out of range");
        for (String text : List.of(
                "Type \\w+ with value (.*) can't be cast because the value is out of range for the destination type (\\w+)",
                "Casting value \"(.*)\" to type (\\S+) failed: value is out of range!",
                "Could not cast value (\\S+) to (\\S+)(?: when .*)?",
                "Failed to cast decimal value (\\S+) to type (\\S+)(?: when .*)?")) {
            add(all, text, SqlCode.OUT_OF_RANGE, found -> outOfRange(found.group(1), found.group(2)));
        }
        add(all, "Value out of range", SqlCode.OUT_OF_RANGE, "value out of range");
        add(all, "(factorial of .*)", SqlCode.OUT_OF_RANGE, found -> found.group(1));
        add(
                all,
                "Argument for ntile must .*",
                SqlCode.INVALID_PARAMETER,
                "argument of ntile must be greater than zero");
        add(all, "PERCENTILEs can only .*", SqlCode.OUT_OF_RANGE, "a percentile is between 0 and 1");
        add(all, "SETSEED accepts .*", SqlCode.INVALID_PARAMETER, "setseed takes a value from -1 to 1");
        add(all, "interval cannot be 0!", SqlCode.INVALID_PARAMETER, "step size cannot equal zero");
    }

    private static void ofTimes(List<Rewording> all) {
        add(
                all,
                "(?:invalid|Invalid) (\\w+) field format: \"(.*)\".*",
                SqlCode.INVALID_DATETIME,
                found -> invalid(found.group(1).toUpperCase(Locale.ROOT), found.group(2)));
        all.add(new Rewording(
                Pattern.compile("(\\w+) field value out of range: \"(.*?)\".*"),
                found -> CLOCK.matcher(found.group(2)).matches()
                        ? new SqlError(SqlCode.DATETIME_OVERFLOW, outOfRange(found.group(2), found.group(1)))
                        : new SqlError(SqlCode.INVALID_DATETIME, invalid(found.group(1), found.group(2)))));
        add(
                all,
                "(?:Could not convert|Could not cast) string '(.*)' to INTERVAL",
                SqlCode.INVALID_DATETIME,
                found -> invalid("interval", found.group(1)));
        add(
                all,
                "(Date|Time) out of range: (.*)",
                SqlCode.DATETIME_OVERFLOW,
                found -> found.group(1).toLowerCase(Locale.ROOT) + " field value out of range: " + found.group(2));
        add(all, "ICU date overflows timestamp range", SqlCode.DATETIME_OVERFLOW, "timestamp out of range");
        add(
                all,
                "extract specifier \"(.*)\" not recognized",
                SqlCode.INVALID_PARAMETER,
                found -> "unit \"" + found.group(1) + "\" not recognized");
        add(
                all,
                "Unknown TimeZone '(.*)'!",
                SqlCode.INVALID_PARAMETER,
                found -> "time zone \"" + found.group(1) + "\" is not recognized");
        add(
                all,
                "Could not parse string \"(.*)\" according to format specifier \"(.*)\".*",
                SqlCode.INVALID_DATETIME,
                found -> "invalid value \"" + found.group(1) + "\" for \"" + found.group(2) + "\"");
    }

    private static void ofFunctions(List<Rewording> all) {
        add(
                all,
                "No function matches the given name and argument types '(\\S+?)\\((.*)\\)'\\..*",
                SqlCode.UNDEFINED_FUNCTION,
                found -> called(found, "does not exist"));
        add(
                all,
                "Could not choose a best candidate function for the function call \"(\\S+?)\\((.*)\\)\"\\..*",
                SqlCode.AMBIGUOUS_FUNCTION,
                found -> called(found, "is not unique"));
        add(
                all,
                "Macro \"?(?:pg_)?(\\w+?)(?:\\(\\))?\"? does not support the supplied arguments.*",
                SqlCode.UNDEFINED_FUNCTION,
                found -> "function " + found.group(1) + " does not exist for these arguments");
        add(
                all,
                "(\\w+)\\(\\) takes (.*)",
                SqlCode.UNDEFINED_FUNCTION,
                found -> "function " + found.group(1) + " takes " + found.group(2));
        add(
                all,
                "UNNEST\\(\\) can only be applied to .*, not (\\S+)",
                SqlCode.UNDEFINED_FUNCTION,
                found -> "function unnest(" + type(found.group(1)) + ") does not exist");
        add(
                all,
                "json_object\\(\\) requires .*",
                SqlCode.INVALID_PARAMETER,
                "argument list must have even number of elements");
    }

    private static void ofNames(List<Rewording> all) {
        for (String text : List.of(
                "Referenced column \"(.*?)\" .*",
                "Column \"(.*)\" in \\w+ list not found in FROM clause",
                "Table \".*\" does not have a column named \"(.*?)\".*")) {
            add(all, text, SqlCode.UNDEFINED_COLUMN, found -> "column \"" + found.group(1) + "\" does not exist");
        }
        add(
                all,
                "Column \"(.*)\" does not exist on (left|right) side of join!",
                SqlCode.UNDEFINED_COLUMN,
                found -> "column \"" + found.group(1) + "\" specified in USING clause does not exist in "
                        + found.group(2) + " table");
        add(
                all,
                "Ambiguous reference to table \"(.*?)\" .*",
                SqlCode.DUPLICATE_ALIAS,
                found -> "table name \"" + found.group(1) + "\" specified more than once");
        add(
                all,
                "Ambiguous reference to column name \"(.*?)\" .*",
                SqlCode.AMBIGUOUS_COLUMN,
                found -> "column reference \"" + found.group(1) + "\" is ambiguous");
        add(
                all,
                "Collation with name (.*) does not exist!",
                SqlCode.UNDEFINED_OBJECT,
                found -> "collation \"" + found.group(1) + "\" does not exist");
        add(
                all,
                "(table \".*\" has \\d+ columns available but \\d+ columns specified)",
                SqlCode.INVALID_COLUMN_REFERENCE,
                found -> found.group(1));
        add(
                all,
                "Could not find key \"(.*)\" in struct.*",
                SqlCode.UNDEFINED_COLUMN,
                found -> "there is no field \"" + found.group(1) + "\"");
        add(all, "struct_extract with a string key .*", SqlCode.TYPE_MISMATCH, "the fields of this row have no names");
    }

    private static void ofQueries(List<Rewording> all) {
        add(
                all,
                "(column .* must appear in the GROUP BY clause or) must be part of an aggregate function\\.",
                SqlCode.GROUPING_ERROR,
                found -> found.group(1) + " be used in an aggregate function");
        add(
                all,
                "(column .* must appear in the GROUP BY clause or be used in an aggregate function)",
                SqlCode.GROUPING_ERROR,
                found -> found.group(1));
        add(all, "(aggregate function calls cannot .*)", SqlCode.GROUPING_ERROR, found -> found.group(1));
        add(
                all,
                "(\\w+(?: \\w+)?) clause cannot contain aggregates!",
                SqlCode.GROUPING_ERROR,
                found -> "aggregate functions are not allowed in " + found.group(1));
        add(
                all,
                "(\\w+(?: \\w+)?) clause cannot contain window functions!",
                SqlCode.WINDOWING_ERROR,
                found -> "window functions are not allowed in " + found.group(1));
        add(
                all,
                "Window functions are not supported here",
                SqlCode.WRONG_OBJECT_TYPE,
                "a window function requires an OVER clause");
        add(all, "(window \".*\" does not exist)", SqlCode.UNDEFINED_OBJECT, found -> found.group(1));
        add(all, "Frame starting from (.*)", SqlCode.WINDOWING_ERROR, found -> "frame starting from " + found.group(1));
        add(all, "Window .* cannot be negative", SqlCode.INVALID_PARAMETER, "frame offset must not be negative");
        add(
                all,
                "(ORDER|GROUP BY) term out of range.*",
                SqlCode.INVALID_COLUMN_REFERENCE,
                found ->
                        (found.group(1).equals("ORDER") ? "ORDER BY" : "GROUP BY") + " position is not in select list");
        add(all, "Subquery returns .*", SqlCode.SYNTAX_ERROR, "subquery must return only one column");
        add(
                all,
                "More than one row returned by .*",
                SqlCode.CARDINALITY_VIOLATION,
                "more than one row returned by a subquery used as an expression");
        add(
                all,
                "Set operations can only apply .*",
                SqlCode.SYNTAX_ERROR,
                "each query of a UNION, INTERSECT or EXCEPT must have the same number of columns");
    }

    private static void ofTypes(List<Rewording> all) {
        add(
                all,
                "Unimplemented type for cast \\((.*) -> (.*)\\).*",
                SqlCode.TYPE_MISMATCH,
                found -> "cannot cast type " + type(found.group(1)) + " to " + type(found.group(2)));
        add(
                all,
                "Cannot mix values of type (.*) and (.*) in (\\w+) operator.*",
                SqlCode.TYPE_MISMATCH,
                found -> found.group(3) + " types " + both(found) + " cannot be matched");
        add(
                all,
                "Cannot combine types (?:of )?(.*) and (.*) - an .*",
                SqlCode.TYPE_MISMATCH,
                found -> "types " + both(found) + " cannot be matched");
        add(
                all,
                "Cannot compare values of type (.*?) and (?:type )?(\\S+).*",
                SqlCode.UNDEFINED_FUNCTION,
                found -> "types " + both(found) + " cannot be compared");
        add(all, "Cannot deduce template type .*", SqlCode.TYPE_MISMATCH, "the types of a list cannot be matched");
        add(
                all,
                "Type (?:TUPLE|STRUCT).* does not match .*",
                SqlCode.SYNTAX_ERROR,
                "unequal number of entries in row expressions");
        add(
                all,
                "(?:Failed to cast value: )?Could not (?:convert|cast) string [\"'](.*)[\"'] to (\\S+)",
                SqlCode.INVALID_VALUE,
                found -> invalid(found.group(2), found.group(1)));
    }

    private static void ofTexts(List<Rewording> all) {
        add(all, "Malformed JSON.*", SqlCode.INVALID_VALUE, "invalid input syntax for type json");
        add(all, "Invalid UTF8 Codepoint .*", SqlCode.INVALID_PARAMETER, "requested character is not valid");
        add(all, "Invalid escape string.*", SqlCode.INVALID_PARAMETER, "invalid escape string");
        add(
                all,
                "Invalid input for hex digit: (.*)",
                SqlCode.INVALID_PARAMETER,
                found -> "invalid hexadecimal digit: \"" + found.group(1) + "\"");
        add(
                all,
                "Invalid replacement string for regexp_replace.*",
                SqlCode.INVALID_PARAMETER,
                "a replacement refers to a group that its regular expression does not have");
        add(
                all,
                "(missing [)\\]]|unexpected \\)|trailing \\\\|no argument for repetition operator|bad repetition operator"
                        + "|invalid (?:escape sequence|character class|character class range|perl operator|repetition size"
                        + "|repeat count|named capture group|capture group|UTF-8))(?:: .*)?",
                SqlCode.INVALID_PARAMETER,
                found -> "invalid regular expression: " + found.group(1));
        add(all, "pattern too large.*", SqlCode.LIMIT_EXCEEDED, "invalid regular expression: it is too large");
        add(
                all,
                "The map key list does not .*",
                SqlCode.INVALID_PARAMETER,
                "the keys and values of a map are of different number");
    }

    private static String outOfRange(String value, String type) {
        return "value \"" + value + "\" is out of range for type " + type(type);
    }

    private static String invalid(String type, String text) {
        return "invalid input syntax for type " + type(type) + ": \"" + text + "\"";
    }

    private static String both(MatchResult found) {
        return type(found.group(1)) + " and " + type(found.group(2));
    }

    /** A call that DuckDB shows with its own names of the function and of the types. */
    private static String called(MatchResult found, String predicate) {
        String name = found.group(1).replaceFirst("^pg_", "");
        List<String> types = types(found.group(2));
        if (!OPERATOR.matcher(name).matches()) {
            return "function " + name + "(" + String.join(", ", types) + ") " + predicate;
        }
        String operator = name.equals("//") ? "/" : name;
        String shown = types.size() == 2
                ? types.get(0) + " " + operator + " " + types.get(1)
                : operator + " " + String.join(", ", types);
        return "operator " + predicate + ": " + shown;
    }

    private static List<String> types(String theirs) {
        List<String> types = new ArrayList<>();
        int open = 0;
        int start = 0;
        for (int i = 0; i < theirs.length(); i++) {
            char c = theirs.charAt(i);
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && open == 0) {
                types.add(type(theirs.substring(start, i).strip()));
                start = i + 1;
            }
        }
        String last = theirs.substring(start).strip();
        if (!last.isEmpty()) {
            types.add(type(last));
        }
        return types;
    }

    private static String type(String theirs) {
        boolean row = theirs.startsWith("STRUCT") || theirs.startsWith("TUPLE");
        return row ? "record" : TYPES.getOrDefault(theirs, theirs.toLowerCase(Locale.ROOT));
    }
}
