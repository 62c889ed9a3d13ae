package io.polytable.sql.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What DuckDB could not do, in our codes, with the place in the text that the client wrote. */
final class DuckErrors {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern QUOTED = Pattern.compile("[\"']([^\"'\\n(]{1,100})[\"'(]");

    private DuckErrors() {}

    static SqlError of(SQLException failure, String original) {
        String text = String.valueOf(failure.getMessage());
        // The driver puts the kind of error before what it was told.
        JsonNode json = json(text.replaceFirst("^[\\w ]+ Error: (?=\\{)", ""));
        // An error of one level may be told inside another's.
        while (json.path("exception_message").asText().startsWith("{\"exception_type\"")) {
            json = json(json.path("exception_message").asText());
        }
        String kind = json.path("exception_type").asText(text.replaceFirst(" Error: [\\s\\S]*", ""));
        String message = json.path("exception_message").asText(text.replaceFirst("^[\\w ]+ Error: ", ""));
        String first = firstLine(message);
        SqlCode code = code(kind, json.path("error_subtype").asText(), first);
        return new SqlError(code, first, place(json, first, original));
    }

    private static JsonNode json(String text) {
        try {
            return text.startsWith("{") ? MAPPER.readTree(text) : MAPPER.createObjectNode();
        } catch (JsonProcessingException plain) {
            return MAPPER.createObjectNode();
        }
    }

    /** The rest tells of DuckDB's own text and settings, or is a stack trace. */
    private static String firstLine(String message) {
        return message.strip()
                .replaceFirst("\n[\\s\\S]*", "")
                .replaceFirst(" Use TRY\\(.*", "")
                .replaceFirst("^(Division by zero) in expression.*", "division by zero");
    }

    private static SqlCode code(String kind, String subtype, String message) {
        return switch (kind) {
            case "Parser", "Syntax" -> SqlCode.SYNTAX_ERROR;
            case "Binder" -> binder(subtype, message);
            case "Catalog" -> message.contains("Function") ? SqlCode.UNDEFINED_FUNCTION : SqlCode.UNDEFINED_OBJECT;
            case "Conversion" -> message.contains("range") ? SqlCode.OUT_OF_RANGE : SqlCode.INVALID_VALUE;
            case "Out of Range" -> SqlCode.OUT_OF_RANGE;
            case "Out of Memory" -> SqlCode.OUT_OF_MEMORY;
            case "INTERRUPT", "Interrupt" -> SqlCode.CANCELLED;
            case "Permission" -> SqlCode.NOT_ALLOWED;
            case "Not implemented" -> SqlCode.UNSUPPORTED;
            default -> message.contains("division by zero") ? SqlCode.DIVISION_BY_ZERO : other(message);
        };
    }

    private static SqlCode binder(String subtype, String message) {
        if (subtype.equals("COLUMN_NOT_FOUND") || message.contains("not found in FROM clause")) {
            return SqlCode.UNDEFINED_COLUMN;
        }
        if (message.contains("mbiguous")) {
            return SqlCode.AMBIGUOUS_COLUMN;
        }
        return message.contains("No function matches") ? SqlCode.UNDEFINED_FUNCTION : SqlCode.TYPE_MISMATCH;
    }

    private static SqlCode other(String message) {
        if (message.contains("expression depth") || message.contains("nested")) {
            return SqlCode.LIMIT_EXCEEDED;
        }
        return message.contains("More than one row") ? SqlCode.CARDINALITY_VIOLATION : SqlCode.DATA_EXCEPTION;
    }

    /** DuckDB's position is in the text that we gave it; the name or the literal it complains of is in the client's too. */
    private static int place(JsonNode json, String message, String original) {
        String name = json.path("name").asText();
        if (name.isEmpty()) {
            Matcher quoted = QUOTED.matcher(message);
            name = quoted.find() ? quoted.group(1) : "";
        }
        if (name.isEmpty()) {
            return SqlError.NOWHERE;
        }
        Matcher found =
                Pattern.compile("(?i)(?<![\\w\"])\"?" + Pattern.quote(name)).matcher(original);
        return found.find() ? found.start() : original.indexOf(name);
    }
}
