package io.polytable.sql.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every type through every encoding: rows and keys of the store, vectors, DuckDB's values, Parquet files, text, JSON, CSV
 * and Arrow. Each must give the texts that were written, with NULL and the extremes of the type.
 */
class EveryTypeTest {
    private static final String LONG_TEXT = "x".repeat(5000);

    @TempDir
    private Path directory = Path.of("");

    /**
     * A type and values of it, in ascending order.
     *
     * @param texts as PostgreSQL prints them
     */
    record Case(SqlType.Kind kind, String type, List<String> texts) {
        @Override
        public String toString() {
            return type;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(SqlType.Kind.BOOLEAN, "BOOLEAN", List.of("false", "true")),
                new Case(SqlType.Kind.SMALLINT, "SMALLINT", List.of("-32768", "0", "32767")),
                new Case(SqlType.Kind.INT, "INT", List.of("-2147483648", "0", "2147483647")),
                new Case(SqlType.Kind.BIGINT, "BIGINT", List.of("-9223372036854775808", "0", "9223372036854775807")),
                new Case(
                        SqlType.Kind.FLOAT,
                        "REAL",
                        List.of("-Infinity", "-3.4028235e+38", "0", "1.5", "Infinity", "NaN")),
                new Case(
                        SqlType.Kind.DOUBLE,
                        "DOUBLE PRECISION",
                        List.of("-Infinity", "-1.7976931348623157e+308", "0", "0.1", "Infinity", "NaN")),
                new Case(
                        SqlType.Kind.DECIMAL,
                        "DECIMAL(38, 2)",
                        List.of(
                                "-999999999999999999999999999999999999.99",
                                "0.00",
                                "999999999999999999999999999999999999.99")),
                new Case(SqlType.Kind.TEXT, "TEXT", List.of("", "a\t\n\"'\\,", LONG_TEXT, "\u00e4\u20ac\ud83d\ude00")),
                new Case(SqlType.Kind.BYTES, "BYTEA", List.of("", "\\x00", "\\x00ff", "\\xff")),
                new Case(SqlType.Kind.DATE, "DATE", List.of("0001-01-01", "1970-01-01", "9999-12-31")),
                new Case(SqlType.Kind.TIME, "TIME", List.of("00:00:00", "12:30:00.5", "23:59:59.999999")),
                new Case(
                        SqlType.Kind.TIMESTAMP,
                        "TIMESTAMPTZ",
                        List.of("0001-01-01 00:00:00+00", "1969-12-31 23:59:59.999999+00", "9999-12-31 23:59:59+00")),
                new Case(
                        SqlType.Kind.UUID,
                        "UUID",
                        List.of("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff")),
                new Case(SqlType.Kind.JSON, "JSON", List.of("[1, null]", "{\"a\": 1.50}")));
    }

    @Test
    void noTypeIsForgotten() {
        Set<SqlType.Kind> tested = cases().map(Case::kind).collect(Collectors.toSet());
        assertThat(tested).isEqualTo(EnumSet.complementOf(EnumSet.of(SqlType.Kind.UNKNOWN)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyEncodingGivesTheTextsThatWereWritten(Case each) throws IOException {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v " + each.type() + ")");
            for (int i = 0; i < each.texts().size(); i++) {
                session.execute("INSERT INTO t VALUES (?, ?)", i, each.texts().get(i));
            }
            session.execute("INSERT INTO t VALUES (?, NULL)", each.texts().size());
            List<String> expected = new ArrayList<>(each.texts());
            expected.add("null");
            assertThat(ours(session, expected.size())).as("rows").isEqualTo(expected);
            assertThat(throughDuck(session)).as("vectors").isEqualTo(expected);
            session.execute("CREATE TABLE u (id INT PRIMARY KEY, v " + each.type() + ")");
            // DuckDB's text of bytes is its own; PostgreSQL's is that of encode.
            String again = each.kind() == SqlType.Kind.BYTES
                    ? "decode(encode(v, 'hex'), 'hex')"
                    : "CAST(CAST(v AS TEXT) AS " + each.type() + ")";
            session.execute("INSERT INTO u SELECT id, " + again + " FROM t");
            session.execute("INSERT INTO t SELECT id, v FROM u ON CONFLICT (id) DO UPDATE SET v = excluded.v");
            assertThat(ours(session, expected.size())).as("text and back").isEqualTo(expected);
            keys(session, each);
            session.execute("FLUSH TABLE t");
            assertThat(ours(session, expected.size())).as("files").isEqualTo(expected);
            assertThat(throughDuck(session)).as("files through DuckDB").isEqualTo(expected);
            results(session, expected);
        }
    }

    private static void keys(Session session, Case each) {
        if (each.kind() == SqlType.Kind.JSON) {
            // Documents have no order, and so are no keys.
            return;
        }
        session.execute("CREATE TABLE k (v " + each.type() + " PRIMARY KEY, id INT)");
        session.execute("INSERT INTO k SELECT v, id FROM t WHERE v IS NOT NULL ORDER BY id DESC");
        assertThat(texts(session, "SELECT v FROM k")).as("keys").isEqualTo(each.texts());
        for (int i = 0; i < each.texts().size(); i++) {
            assertThat(texts(
                            session,
                            "SELECT id FROM k WHERE v = ?",
                            each.texts().get(i)))
                    .as("the key %s", each.texts().get(i))
                    .isEqualTo(List.of(Integer.toString(i)));
        }
    }

    private static List<String> ours(Session session, int count) {
        List<String> texts = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            texts.addAll(texts(session, "SELECT v FROM t WHERE id = ?", id));
        }
        return texts;
    }

    private static List<String> throughDuck(Session session) {
        return texts(session, "SELECT v FROM t ORDER BY id + 0");
    }

    private static List<String> texts(Session session, String sql, Object... parameters) {
        List<String> texts = new ArrayList<>();
        try (QueryRows rows = rows(session, sql, parameters)) {
            while (rows.next()) {
                texts.add(text(rows.row()[0]));
            }
        }
        return texts;
    }

    private static QueryRows rows(Session session, String sql, Object... parameters) {
        return ((Outcome.Rows) session.execute(sql, parameters)).rows();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "null" : Texts.of(value);
    }

    private static void results(Session session, List<String> expected) throws IOException {
        String query = "SELECT id, v FROM t ORDER BY id + 0";
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        JsonResults results = new JsonResults(json, "root", false);
        results.add(session.execute(query));
        results.end(0, null, "");
        List<String> read = new ArrayList<>();
        JsonNode rows = new ObjectMapper().readTree(json.toByteArray()).at("/results/0/rows");
        for (int i = 0; i < rows.size(); i++) {
            JsonNode value = rows.get(i).get(1);
            // JSON writes numbers in its own way: they are equal as numbers.
            boolean same =
                    value.isNumber() && Double.compare(value.asDouble(), Double.parseDouble(expected.get(i))) == 0;
            read.add(same ? expected.get(i) : value.asText());
        }
        assertThat(read).as("JSON").isEqualTo(expected);
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        try (QueryRows result = rows(session, query)) {
            CsvResults.write(csv, result);
        }
        for (int i = 0; i < expected.size(); i++) {
            String written = expected.get(i).equals("null") ? "" : expected.get(i);
            String quoted = "\"" + written.replace("\"", "\"\"") + "\"";
            assertThat(csv.toString(StandardCharsets.UTF_8))
                    .as("CSV")
                    .containsAnyOf(i + "," + written, i + "," + quoted);
        }
        ByteArrayOutputStream arrow = new ByteArrayOutputStream();
        try (QueryRows result = rows(session, query)) {
            ArrowResults.write(arrow, result);
        }
        assertThat(fromArrow(arrow.toByteArray())).as("Arrow").isEqualTo(expected);
    }

    private static List<String> fromArrow(byte[] stream) throws IOException {
        List<String> texts = new ArrayList<>();
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            while (reader.loadNextBatch()) {
                FieldVector values = reader.getVectorSchemaRoot().getVector(1);
                for (int i = 0; i < values.getValueCount(); i++) {
                    texts.add(arrowText(values, i));
                }
            }
        }
        return texts;
    }

    private static String arrowText(FieldVector values, int row) {
        Object value = values.getObject(row);
        if (value == null) {
            return "null";
        }
        return switch (values.getMinorType()) {
            case BIT, SMALLINT, INT, BIGINT, FLOAT4, FLOAT8, DECIMAL ->
                text(value instanceof Short n ? (Object) n.intValue() : value);
            case DATEDAY -> text(LocalDate.ofEpochDay((Integer) value));
            case TIMEMICRO -> text(LocalTime.ofNanoOfDay((Long) value * 1000));
            case TIMESTAMPMICROTZ -> text(Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS));
            case VARBINARY -> text(Bytes.of((byte[]) value));
            default -> value.toString();
        };
    }
}
