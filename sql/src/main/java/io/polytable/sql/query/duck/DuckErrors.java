package io.polytable.sql.query.duck;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates DuckDB's errors to our codes, with the position in the client's text. DuckDB has a code for the kind of an
 * error, for a missing column and for a missing catalog entry; what else distinguishes errors is in their words only.
 */
public final class DuckErrors {
    private static final Logger LOG = LoggerFactory.getLogger(DuckErrors.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern QUOTED = Pattern.compile("[\"']([^\"'\\n(]{1,100})[\"'(]");

    /** The form in which errors of our own functions carry their code through DuckDB. */
    private static final Pattern MARKED = Pattern.compile("sqlerror<([A-Z_]+)>([^\\n]*)");

    private static final Set<String> CODES =
            Arrays.stream(SqlCode.values()).map(SqlCode::name).collect(Collectors.toUnmodifiableSet());

    private DuckErrors() {}

    public static String marked(SqlError error) {
        return "sqlerror<" + error.code().name() + ">" + error.text();
    }

    public static SqlError of(SQLException failure, Optional<Query> written) {
        String text = String.valueOf(failure.getMessage());
        // The driver prefixes the kind of error.
        JsonNode json = json(text.replaceFirst("^[\\w ]+ Error: (?=\\{)", ""));
        // An error may be nested in the message of another.
        while (json.path("exception_message").asText().startsWith("{\"exception_type\"")) {
            json = json(json.path("exception_message").asText());
        }
        String kind = json.path("exception_type").asText(text.replaceFirst(" Error: [\\s\\S]*", ""));
        String message = json.path("exception_message").asText(text.replaceFirst("^[\\w ]+ Error: ", ""));
        Matcher ours = MARKED.matcher(message);
        // A client's text may look like such a mark; that it names one of our codes, too, is unlikely.
        if (ours.find() && CODES.contains(ours.group(1))) {
            return new SqlError(SqlCode.valueOf(ours.group(1)), ours.group(2));
        }
        Optional<SqlError> internal = ownText(kind);
        if (internal.isPresent()) {
            log(internal.get().code(), text);
            return internal.get();
        }
        String first = firstLine(message);
        int place = place(json, first, written);
        Optional<SqlError> known = ErrorTexts.of(first);
        if (known.isPresent()) {
            return known.get().at(place);
        }
        LOG.debug("DuckDB rejected a query with an unknown text: {}", first);
        SqlCode code = code(kind, json, first);
        return new SqlError(code, ErrorTexts.general(code), place);
    }

    private static void log(SqlCode code, String text) {
        if (code == SqlCode.INTERNAL) {
            LOG.error("DuckDB failed: {}", text);
        } else {
            LOG.debug("DuckDB rejected a query: {}", text);
        }
    }

    /** Our error for the types whose text describes DuckDB's settings, files or code, which a client cannot know. */
    private static Optional<SqlError> ownText(String kind) {
        return Optional.ofNullable(
                switch (kind) {
                    case "Out of Memory" ->
                        new SqlError(
                                SqlCode.OUT_OF_MEMORY,
                                "the query needs more memory or disk space than queries may take");
                    case "INTERRUPT", "Interrupt" ->
                        new SqlError(SqlCode.CANCELLED, "canceling statement due to user request");
                    case "INTERNAL",
                            "FATAL",
                            "NullPointer",
                            "Optimizer",
                            "Planner",
                            "Executor",
                            "Scheduler",
                            "Serialization" ->
                        new SqlError(SqlCode.INTERNAL, "the query engine failed; the server's log says why");
                    case "Connection", "TransactionContext" ->
                        new SqlError(SqlCode.UNAVAILABLE, "the query engine is not available");
                    case "Settings", "Permission", "Missing Extension", "Extension Autoloading", "HTTP" ->
                        new SqlError(SqlCode.NOT_ALLOWED, "the query uses what is not allowed here");
                    default -> null;
                });
    }

    private static JsonNode json(String text) {
        try {
            return text.startsWith("{") ? MAPPER.readTree(text) : MAPPER.createObjectNode();
        } catch (JsonProcessingException plain) {
            return MAPPER.createObjectNode();
        }
    }

    /** The first line; the rest is DuckDB's rewritten text, hints about its settings, or a stack trace. */
    private static String firstLine(String message) {
        return message.strip().replaceFirst("\n[\\s\\S]*", "").replaceFirst(" Use TRY\\(.*", "");
    }

    private static SqlCode code(String kind, JsonNode json, String message) {
        return switch (kind) {
            case "Parser", "Syntax" -> SqlCode.SYNTAX_ERROR;
            case "Binder" -> binder(json.path("error_subtype").asText(), message);
            case "Catalog" ->
                json.path("type").asText().endsWith("Function") ? SqlCode.UNDEFINED_FUNCTION : SqlCode.UNDEFINED_OBJECT;
            case "Conversion" -> conversion(message);
            case "Out of Range", "Decimal" -> SqlCode.OUT_OF_RANGE;
            case "Divide by Zero" -> SqlCode.DIVISION_BY_ZERO;
            case "Mismatch Type", "Invalid type", "Unknown Type" -> SqlCode.TYPE_MISMATCH;
            case "Object Size" -> SqlCode.LIMIT_EXCEEDED;
            case "Parameter Not Resolved", "Parameter Not Allowed" -> SqlCode.UNDEFINED_PARAMETER;
            case "Not implemented" -> SqlCode.UNSUPPORTED;
            default -> message.contains("division by zero") ? SqlCode.DIVISION_BY_ZERO : other(message);
        };
    }

    private static SqlCode conversion(String message) {
        boolean ofTime = message.contains("date field")
                || message.startsWith("Date ")
                || message.contains("time")
                || message.contains("interval");
        if (message.contains("range")) {
            return ofTime ? SqlCode.DATETIME_OVERFLOW : SqlCode.OUT_OF_RANGE;
        }
        return ofTime && message.contains("format") ? SqlCode.INVALID_DATETIME : SqlCode.INVALID_VALUE;
    }

    private static SqlCode binder(String subtype, String message) {
        boolean unknown = subtype.equals("COLUMN_NOT_FOUND")
                || message.contains("not found in FROM clause")
                || message.contains("does not have a column named")
                || message.contains("side of join");
        if (unknown) {
            return SqlCode.UNDEFINED_COLUMN;
        }
        if (message.contains("duplicate alias")) {
            return SqlCode.DUPLICATE_ALIAS;
        }
        if (message.contains("mbiguous")) {
            return SqlCode.AMBIGUOUS_COLUMN;
        }
        if (message.contains("aggregate")) {
            return SqlCode.GROUPING_ERROR;
        }
        if (message.contains("interval cannot be 0")) {
            return SqlCode.INVALID_PARAMETER;
        }
        if (message.contains("window functions")) {
            return SqlCode.WINDOWING_ERROR;
        }
        if (message.contains("ORDER term out of range") || message.contains("GROUP BY term out of range")) {
            return SqlCode.INVALID_COLUMN_REFERENCE;
        }
        if (message.startsWith("Subquery returns")
                || message.contains("same number of result columns")
                || message.contains("star expression")
                || message.contains("non-integer literal")) {
            return SqlCode.SYNTAX_ERROR;
        }
        if (message.contains("Could not choose a best candidate")) {
            return SqlCode.AMBIGUOUS_FUNCTION;
        }
        if (message.startsWith("Referenced table")) {
            return SqlCode.UNDEFINED_TABLE;
        }
        return message.contains("No function matches") || message.startsWith("Cannot compare values")
                ? SqlCode.UNDEFINED_FUNCTION
                : SqlCode.TYPE_MISMATCH;
    }

    private static SqlCode other(String message) {
        if (message.contains("expression depth") || message.contains("nested")) {
            return SqlCode.LIMIT_EXCEEDED;
        }
        return message.contains("More than one row") ? SqlCode.CARDINALITY_VIOLATION : SqlCode.DATA_EXCEPTION;
    }

    /** DuckDB's position refers to the rendered text, so we look for the name or literal at fault in the client's tree. */
    private static int place(JsonNode json, String message, Optional<Query> written) {
        String name = json.path("name").asText();
        if (name.isEmpty()) {
            Matcher quoted = QUOTED.matcher(message);
            name = quoted.find() ? quoted.group(1) : "";
        }
        String wanted = name;
        return wanted.isEmpty()
                ? SqlError.NOWHERE
                : written.map(query -> Places.of(query, wanted)).orElse(SqlError.NOWHERE);
    }
}
