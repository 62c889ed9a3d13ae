package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.query.render.Rendered;
import io.polytable.sql.query.render.Renderer;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of queries, and that what is printed for DuckDB is the tree that was read. */
class QueryParserTest {
    private static final Path FILES = Path.of("src/test/resources/sqllogic");

    private static final Set<String> FIRST_WORDS = Set.of("select", "with", "values", "table", "from");

    static Stream<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        try (Stream<Path> all = Files.walk(FILES)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                for (LogicFile.Step step : LogicFile.read(file).records()) {
                    if (isQuery(step)) {
                        queries.add(step.sql());
                    }
                }
            }
        }
        return queries.stream().distinct();
    }

    private static boolean isQuery(LogicFile.Step step) {
        String first = step.sql().replace("(", "").strip().split("\\s", 2)[0].toLowerCase(Locale.ROOT);
        return FIRST_WORDS.contains(first)
                && !step.sql().contains(";")
                && step.only().isEmpty()
                && step.isQuery();
    }

    private static String rendered(Query query) {
        Rendered rendered = Renderer.render(query);
        return rendered.text(scan -> "scan " + scan);
    }

    /** Printing is a fixed point: what was printed once is read as the tree that prints the same again. */
    @ParameterizedTest
    @MethodSource("queries")
    void readsWhatItPrints(String text) {
        Optional<Query> read = read(text);
        if (read.isPresent()) {
            String printed = rendered(read.get());
            assertThat(rendered(QueryParser.parse(printed))).isEqualTo(printed);
        }
    }

    /** Empty for a statement that begins like a query and is a write: {@code WITH ... INSERT}. */
    private static Optional<Query> read(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean write = lower.startsWith("with")
                && Stream.of("insert into", "update ", "delete from").anyMatch(lower::contains);
        return write ? Optional.empty() : Optional.of(QueryParser.parse(text));
    }

    @Test
    void operatorsBindAsInPostgres() {
        assertThat(value("1 + 2 * 3")).isEqualTo("(1 + (2 * 3))");
        assertThat(value("a OR b AND NOT c = d")).isEqualTo("(\"a\" OR (\"b\" AND (NOT (\"c\" = \"d\"))))");
        assertThat(value("a || b + c")).isEqualTo("(\"a\" || (\"b\" + \"c\"))");
        assertThat(value("a -> 'b' IS NULL")).isEqualTo("((\"a\" -> 'b') IS NULL)");
        assertThat(value("a = b IS NULL")).isEqualTo("((\"a\" = \"b\") IS NULL)");
        assertThat(value("- 2 ^ 2")).isEqualTo("((-2) ^ 2)");
        assertThat(value("-a::int")).isEqualTo("(- CAST(\"a\" AS INTEGER))");
        assertThat(value("a < b || c")).isEqualTo("(\"a\" < (\"b\" || \"c\"))");
        assertThat(value("a BETWEEN 1 AND 2 AND b")).isEqualTo("((\"a\" BETWEEN 1 AND 2) AND \"b\")");
        assertThat(value("a IN (1, 2) = b")).isEqualTo("((\"a\" IN (1, 2)) = \"b\")");
        assertThat(value("NOT a IS NULL")).isEqualTo("(NOT (\"a\" IS NULL))");
        assertThat(value("a::float(24) + a::float")).isEqualTo("(CAST(\"a\" AS REAL) + CAST(\"a\" AS DOUBLE))");
        assertThat(value("((SELECT 1) + 2)")).isEqualTo("((SELECT 1) + 2)");
    }

    private static String value(String text) {
        return rendered(QueryParser.parse("SELECT " + text)).substring("SELECT ".length());
    }

    /** Whatever a text says in quotes stays in quotes, so that no client's text is read as SQL. */
    @Test
    void textsAndNamesStayInTheirQuotes() {
        assertThat(value("'it''s -- ' || \"a\"\"b; --\"")).isEqualTo("('it''s -- ' || \"a\"\"b; --\")");
        assertThat(value("E'\\'; DROP'")).isEqualTo("'''; DROP'");
        assertThat(value("$x$'$x$")).isEqualTo("''''");
        for (String text : List.of("E'\\x00'", "1 AS \"a\0b\"")) {
            assertThatThrownBy(() -> value(text))
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.INVALID_VALUE));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT",
                "SELECT 1,",
                "SELECT 1 FROM",
                "SELECT (1",
                "SELECT 1)",
                "SELECT a b c",
                "SELECT CASE END",
                "SELECT * FROM t WHERE",
                "SELECT 1 UNION",
                "SELECT * FROM t ORDER",
                "SELECT 1 GROUP BY",
                "SELECT 1 +",
                "SELECT [1",
                "SELECT * FROM (SELECT 1",
                "SELECT a FROM t JOIN u",
                "VALUES (1), (1, 2)",
                "WITH a AS SELECT 1 SELECT 1"
            })
    void refusesWhatIsNoQuery(String text) {
        assertThatThrownBy(() -> QueryParser.parse(text))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.SYNTAX_ERROR));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(", "- ", "NOT ", "abs(", "CASE WHEN true THEN ", "[", "SELECT * FROM (", "1 + ", "(SELECT 1 + "
            })
    void refusesWhatIsNestedTooDeeply(String piece) {
        String text = "SELECT " + piece.repeat(5000) + "1";
        assertThatThrownBy(() -> QueryParser.parse(text)).isInstanceOf(SqlError.class);
    }
}
