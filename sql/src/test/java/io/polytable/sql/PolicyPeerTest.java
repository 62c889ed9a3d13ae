package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;

/** Asks a real PostgreSQL what {@code policies.txt} says it answers. */
@Tag("peers")
class PolicyPeerTest {
    private static final Path FILE = Path.of("src/test/resources/io/polytable/sql/policies.txt");

    @Test
    void postgresAnswersAsTheFileSays() throws IOException, InterruptedException, SQLException {
        Optional<Path> programs = PostgresServer.programs();
        if (programs.isEmpty() && Boolean.getBoolean("polytable.ci")) {
            fail("PostgreSQL is not installed");
        }
        assumeTrue(programs.isPresent(), "PostgreSQL is not installed");
        List<String> answered = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start(programs.get());
                Connection connection = server.connect()) {
            for (String text : UserScript.texts("policies.txt")) {
                answered.add(UserScript.isLine(text) ? answered(connection, UserScript.Line.of(text)) : text);
            }
        }
        if (Boolean.getBoolean("sqllogic.rewrite")) {
            Files.write(FILE, answered);
        } else {
            assertThat(answered).isEqualTo(UserScript.texts("policies.txt"));
        }
    }

    /** The line with PostgreSQL's answer. What PostgreSQL demands of owners, we demand of roles: the text differs. */
    private static String answered(Connection connection, UserScript.Line line) throws SQLException {
        String answer = "";
        try (Statement statement = connection.createStatement()) {
            statement.execute("RESET SESSION AUTHORIZATION");
            statement.execute("RESET row_security");
            if (!line.who().equals("root")) {
                statement.execute("SET SESSION AUTHORIZATION " + line.who());
            }
            for (String one : line.statements().split("; ", -1)) {
                answer = answer(statement, one);
            }
        }
        boolean byOwner = line.expected().equals("42501") && answer.startsWith("42501 must be owner");
        return line + " => " + (byOwner ? "42501" : answer);
    }

    private static String answer(Statement statement, String sql) throws SQLException {
        try {
            if (!statement.execute(sql)) {
                return "count " + statement.getUpdateCount();
            }
        } catch (PSQLException refused) {
            String text =
                    Objects.requireNonNull(refused.getServerErrorMessage()).getMessage();
            return refused.getSQLState() + " " + text;
        }
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.getResultSet()) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                rows.add(row.toString());
            }
        }
        return UserScript.answer(rows);
    }
}
