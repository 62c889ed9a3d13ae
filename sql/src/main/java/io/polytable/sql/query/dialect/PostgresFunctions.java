package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.sql.format.IntervalFields;
import io.polytable.sql.format.JsonFunctions;
import io.polytable.sql.format.JsonNumbers;
import io.polytable.sql.format.NumberTemplate;
import io.polytable.sql.format.TextFunctions;
import io.polytable.sql.format.TimeTemplate;
import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.query.duck.PostgresTexts;
import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBScalarFunctionBuilder;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL functions that DuckDB lacks or defines differently: macros from {@code macros.sql}, and Java functions on
 * text that the macros call. Those whose name begins with {@code pg_} are internal: rewriting inserts the calls.
 */
public final class PostgresFunctions {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresFunctions.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss[.n]");

    private PostgresFunctions() {}

    private interface OnText {
        @Nullable
        String of(String[] arguments);
    }

    public static void register(Connection connection) throws SQLException {
        function(connection, "pg_to_char", 3, words -> toChar(words[0], words[1], words[2]));
        function(connection, "pg_to_moment", 2, words -> MOMENT.format(new TimeTemplate(words[1]).parse(words[0])));
        function(connection, "pg_to_number", 2, words -> toNumber(words[0]));
        function(connection, "initcap", 1, words -> TextFunctions.initcap(words[0]));
        function(connection, "quote_ident", 1, words -> TextFunctions.quoteIdent(words[0]));
        function(connection, "pg_quote_literal", 1, words -> TextFunctions.quoteLiteral(words[0]));
        function(connection, "pg_format", 2, words -> TextFunctions.format(words[0], items(words[1])));
        function(connection, "pg_similar", 1, words -> TextFunctions.similar(words[0]));
        function(connection, "pg_num_nulls", 1, words -> Long.toString(nulls(words[0])));
        function(connection, "pg_json_concat_text", 2, words -> JsonFunctions.concat(words[0], words[1]));
        function(connection, "pg_json_without_text", 2, words -> JsonFunctions.without(words[0], words[1]));
        function(connection, "pg_json_has_text", 2, words -> Boolean.toString(JsonFunctions.has(words[0], words[1])));
        function(
                connection,
                "pg_json_set_text",
                4,
                words -> JsonFunctions.set(words[0], words[1], words[2], Boolean.parseBoolean(words[3])));
        function(connection, "pg_interval_text", 1, words -> PostgresTexts.interval(words[0]));
        function(connection, "pg_double_text", 1, words -> floating(words[0], Double::valueOf));
        function(connection, "pg_float_text", 1, words -> floating(words[0], Float::valueOf));
        function(connection, "pg_json_part", 2, words -> JsonNumbers.part(words[0], words[1]));
        numeric(connection, "pg_divided", Numerics::quotient);
        numeric(connection, "pg_divided_whole", Numerics::wholeQuotient);
        numeric(connection, "pg_multiplied", Numerics::product);
        function(
                connection,
                "pg_exact",
                1,
                words -> Numerics.exact(Numerics.parsed(words[0])).toPlainString());
        function(connection, "pg_input", 2, words -> Literals.text(words[0], words[1]));
        function(connection, "pg_rounded", 1, words -> rounded(words[0]));
        function(connection, "pg_raise", 3, words -> {
            throw new SqlError(SqlCode.valueOf(words[0]), words[1]);
        });
        try (Statement statement = connection.createStatement()) {
            // One text: DuckDB would commit each statement on its own.
            statement.execute("BEGIN;" + String.join(";\n", macros()) + ";COMMIT");
        }
    }

    /** Registers a function of two decimals, which pass as text: their digits differ from row to row. */
    private static void numeric(Connection connection, String name, BinaryOperator<BigDecimal> body)
            throws SQLException {
        function(
                connection,
                name,
                2,
                words -> body.apply(new BigDecimal(words[0]), new BigDecimal(words[1]))
                        .toPlainString());
    }

    private static String rounded(String ofDouble) {
        double number = Double.parseDouble(ofDouble.replace("inf", "Infinity").replace("nan", "NaN"));
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new SqlError(SqlCode.OUT_OF_RANGE, "a NUMERIC is a number, not " + ofDouble);
        }
        return Numerics.rounded(new BigDecimal(ofDouble)).toPlainString();
    }

    /** The statements that create the macros, each after those that it calls. */
    public static List<String> macros() {
        try (InputStream file = PostgresFunctions.class.getResourceAsStream("macros.sql")) {
            if (file == null) {
                throw new IllegalStateException("macros.sql is not in the jar");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("--"))
                    .toList();
        } catch (IOException failure) {
            throw new IllegalStateException("macros.sql cannot be read", failure);
        }
    }

    /** Registers a function from text to text; its result is NULL if an argument is. */
    private static void function(Connection connection, String name, int arguments, OnText body) throws SQLException {
        DuckDBScalarFunctionBuilder builder = DuckDBFunctions.scalarFunction().withName(name);
        for (int i = 0; i < arguments; i++) {
            builder.withParameter(DuckDBColumnType.VARCHAR);
        }
        builder.withReturnType(DuckDBColumnType.VARCHAR)
                .withVectorizedFunction((in, out) -> apply(in, out, arguments, body))
                .register(connection);
    }

    private static void apply(DuckDBDataChunkReader in, DuckDBWritableVector out, int arguments, OnText body)
            throws SQLException {
        String[] words = new String[arguments];
        for (long row = 0; row < in.rowCount(); row++) {
            boolean absent = false;
            for (int i = 0; i < arguments; i++) {
                absent |= in.vector(i).isNull(row);
                words[i] = absent ? "" : in.vector(i).getString(row);
            }
            String result = absent ? null : computed(body, words);
            if (result == null) {
                out.setNull(row);
            } else {
                out.setString(row, result);
            }
        }
    }

    private static @Nullable String computed(OnText body, String[] words) throws SQLException {
        try {
            return body.of(words);
        } catch (SqlError error) {
            // DuckDB passes only the message on to the query's caller, so the message carries the code.
            throw new SQLException(DuckErrors.marked(error), error);
        } catch (RuntimeException fault) {
            // Java's text means nothing to a client.
            LOG.error("A function failed", fault);
            SqlError told = new SqlError(SqlCode.INTERNAL, "a function failed; the server's log says why");
            throw new SQLException(DuckErrors.marked(told), fault);
        }
    }

    /** PostgreSQL's text of a number, from DuckDB's, which also has the fewest digits but another format. */
    private static String floating(String text, Function<String, Number> parse) {
        return switch (text) {
            case "inf" -> "Infinity";
            case "-inf" -> "-Infinity";
            case "nan" -> "NaN";
            default -> Texts.of(parse.apply(text));
        };
    }

    private static String toChar(String type, String text, String template) {
        if (type.equals("INTERVAL")) {
            return new TimeTemplate(template).format(IntervalFields.of(text));
        }
        if (type.startsWith("TIMESTAMP") || type.equals("DATE") || type.startsWith("TIME")) {
            return new TimeTemplate(template).format(moment(type, text));
        }
        try {
            return new NumberTemplate(template).format(new BigDecimal(text));
        } catch (NumberFormatException noNumber) {
            throw new SqlError(
                    SqlCode.UNDEFINED_FUNCTION,
                    "function to_char(" + type.toLowerCase(Locale.ROOT) + ", text) does not exist");
        }
    }

    private static LocalDateTime moment(String type, String text) {
        String plain = text.replaceFirst("[+-]\\d\\d(:\\d\\d)?$", "");
        if (type.equals("DATE")) {
            return LocalDateTime.parse(text + "T00:00:00");
        }
        if (type.startsWith("TIMESTAMP")) {
            return LocalDateTime.parse(plain.replace(' ', 'T'));
        }
        String clock = text.substring(text.lastIndexOf(' ') + 1);
        return LocalDateTime.parse("0001-01-01T" + (clock.contains(":") ? clock : "00:00:00"));
    }

    private static String toNumber(String text) {
        String number = NumberTemplate.parse(text);
        if (number.isEmpty()) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid input syntax for type numeric: \"" + text + "\"");
        }
        return number;
    }

    private static JsonNode list(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("Not a list: " + json, impossible);
        }
    }

    private static @Nullable String[] items(String json) {
        JsonNode list = list(json);
        @Nullable String[] items = new String[list.size()];
        for (int i = 0; i < items.length; i++) {
            items[i] = list.get(i).isNull() ? null : list.get(i).asText();
        }
        return items;
    }

    private static long nulls(String json) {
        long count = 0;
        for (JsonNode item : list(json)) {
            count += item.isNull() ? 1 : 0;
        }
        return count;
    }
}
