package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Asks a real PostgreSQL what the files of {@code sqllogic/postgres} say it answers. With {@code -Dsqllogic.rewrite=true}
 * its answers are written into the files.
 */
@Tag("peers")
class PostgresPeerTest {
    private static final boolean REWRITE = Boolean.getBoolean("sqllogic.rewrite");

    private static @Nullable PostgresServer server;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Optional<Path> programs = PostgresServer.programs();
        if (programs.isEmpty() && Boolean.getBoolean("polytable.ci")) {
            fail("PostgreSQL is not installed");
        }
        assumeTrue(programs.isPresent(), "PostgreSQL is not installed");
        server = PostgresServer.start(programs.get());
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    static Stream<String> files() throws IOException {
        return PostgresDialectTest.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void postgresAnswersAsTheFileSays(String name) throws IOException, SQLException {
        LogicFile file = LogicFile.read(PostgresDialectTest.FILES.resolve(name));
        List<LogicFile.Step> answered = new ArrayList<>();
        if (server == null) {
            throw new IllegalStateException("No server");
        }
        try (Connection connection = server.connect()) {
            execute(connection, "DROP SCHEMA public CASCADE");
            execute(connection, "CREATE SCHEMA public");
            for (LogicFile.Step record : file.records()) {
                answered.add(record.isComment() ? record : run(connection, record));
            }
        }
        if (REWRITE) {
            file.rewrite(answered);
        } else {
            assertThat(answered).isEqualTo(file.records());
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static LogicFile.Step run(Connection connection, LogicFile.Step record) {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(record.sql())) {
                return record.answered("statement ok", List.of());
            }
            try (ResultSet rows = statement.getResultSet()) {
                List<String> lines = new ArrayList<>();
                while (rows.next()) {
                    lines.add(row(rows));
                }
                String sorting = "";
                if (record.isSorted()) {
                    lines.sort(null);
                    sorting = " rowsort";
                }
                return record.answered("query " + types(rows.getMetaData()) + sorting, lines);
            }
        } catch (SQLException error) {
            return record.answered("statement error " + error.getSQLState(), List.of());
        }
    }

    private static String types(ResultSetMetaData columns) throws SQLException {
        StringBuilder types = new StringBuilder();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            types.append(
                    switch (columns.getColumnTypeName(i)) {
                        case "int2", "int4", "int8", "serial" -> 'I';
                        case "float4", "float8" -> 'R';
                        // One that was declared has its number of digits; others have what the computing gave.
                        case "numeric" -> columns.getScale(i) > 0 ? 'N' : 'R';
                        case "bool" -> 'B';
                        case "json", "jsonb" -> 'J';
                        default -> 'T';
                    });
        }
        return types.toString();
    }

    private static String row(ResultSet rows) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            values.add(LogicTest.shown(value(rows, i)));
        }
        return String.join("|", values);
    }

    /** In the form in which we show values of the type. */
    private static @Nullable Object value(ResultSet rows, int column) throws SQLException {
        String text = rows.getString(column);
        if (text == null) {
            return null;
        }
        return switch (rows.getMetaData().getColumnTypeName(column)) {
            case "bool" -> text.equals("t") ? "true" : text.equals("f") ? "false" : text;
            case "timestamp" -> text + "+00";
            case "bytea" -> Texts.bytes(Bytes.of(rows.getBytes(column)));
            default -> text;
        };
    }
}
