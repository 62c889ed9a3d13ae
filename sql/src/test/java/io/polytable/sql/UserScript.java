package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Prepared;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file of statements of several users, one line each: {@code WHO(PARAMETER): STATEMENT; STATEMENT => ANSWER}. */
final class UserScript {
    private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\((.*?)\\))?: (.*) => (.*)");

    private UserScript() {}

    /** @param expected the answer to the last statement */
    record Line(String who, List<String> parameters, String statements, String expected) {
        static Line of(String text) {
            Matcher parts = LINE.matcher(text);
            assertThat(parts.matches()).as(text).isTrue();
            String parameter = parts.group(2);
            return new Line(
                    parts.group(1), parameter == null ? List.of() : List.of(parameter), parts.group(3), parts.group(4));
        }

        @Override
        public String toString() {
            return who + (parameters.isEmpty() ? "" : "(" + parameters.get(0) + ")") + ": " + statements;
        }
    }

    static List<String> texts(String file) throws IOException {
        try (InputStream table = Objects.requireNonNull(UserScript.class.getResourceAsStream(file))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    static boolean isLine(String text) {
        return !text.isBlank() && !text.startsWith("#");
    }

    static List<Line> lines(String file) throws IOException {
        return texts(file).stream().filter(UserScript::isLine).map(Line::of).toList();
    }

    /** The answer to the last statement of a line: sorted rows, a number of changed rows, or an SQLSTATE and a text. */
    static String answer(SqlFace face, Line line) {
        String answer = "";
        try (Session session = face.session(line.who())) {
            for (Prepared statement : session.prepare(line.statements())) {
                answer = answer(session.execute(statement, line.parameters().toArray()));
            }
        } catch (SqlError refused) {
            return refused.code().state() + " " + refused.text();
        }
        return answer;
    }

    static String answer(Outcome outcome) {
        if (outcome instanceof Outcome.Done done) {
            return "count " + done.rows();
        }
        List<String> rows = new ArrayList<>();
        try (QueryRows open = ((Outcome.Rows) outcome).rows()) {
            while (open.next()) {
                rows.add(
                        Arrays.stream(open.row()).map(UserScript::text).toList().toString());
            }
        }
        return answer(rows);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "null" : Texts.of(value);
    }

    static String answer(List<String> rows) {
        return rows.isEmpty() ? "none" : String.join("", rows.stream().sorted().toList());
    }

    /** Whether the answer is the expected one, or has the expected SQLSTATE. */
    static boolean isAsExpected(Line line, String answer) {
        return line.expected().equals("any")
                || answer.equals(line.expected())
                || answer.startsWith(line.expected() + " ");
    }
}
