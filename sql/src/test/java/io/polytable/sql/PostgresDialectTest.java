package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What PostgreSQL answers, we answer: the files of {@code sqllogic/postgres} hold answers of a real PostgreSQL, which
 * {@link PostgresPeerTest} asks again.
 */
class PostgresDialectTest {
    static final Path FILES = Path.of("src/test/resources/sqllogic/postgres");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** PostgreSQL's numeric has as many digits as it wants; our quotients and averages are doubles. */
    private static final MathContext DIGITS = new MathContext(12);

    @TempDir
    private Path directory = Path.of("");

    static Stream<String> files() throws IOException {
        try (Stream<Path> all = Files.list(FILES)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void answersAsPostgresDoes(String name) throws IOException {
        List<String> differences = new ArrayList<>();
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            for (LogicFile.Step record : LogicFile.read(FILES.resolve(name)).records()) {
                if (!record.isComment()) {
                    LogicFile.Step answer = run(session, record);
                    if (record.only().isEmpty() && !isSame(record, answer)) {
                        differences.add("line " + record.line() + ": " + record.sql() + "\n  PostgreSQL: "
                                + record.head() + " " + record.expected() + "\n  we:         " + answer.head() + " "
                                + answer.expected());
                    }
                }
            }
        }
        assertThat(String.join("\n", differences)).as(name).isEmpty();
    }

    private static LogicFile.Step run(Session session, LogicFile.Step record) {
        try {
            Outcome outcome = session.execute(record.sql());
            if (outcome instanceof Outcome.Rows result) {
                List<String> rows = LogicTest.rows(result.rows());
                if (record.isSorted()) {
                    rows.sort(null);
                }
                return record.answered(record.isQuery() ? record.head() : "query", rows);
            }
            return record.answered("statement ok", List.of());
        } catch (SqlError error) {
            return record.answered("statement error " + error.code().state(), List.of(error.text()));
        }
    }

    private static boolean isSame(LogicFile.Step expected, LogicFile.Step answer) {
        if (!expected.head().equals(answer.head())) {
            return false;
        }
        if (!expected.isQuery()) {
            return true;
        }
        if (expected.expected().size() != answer.expected().size()) {
            return false;
        }
        for (int i = 0; i < answer.expected().size(); i++) {
            if (!isSameRow(
                    expected.types(),
                    expected.expected().get(i),
                    answer.expected().get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameRow(String types, String expected, String answer) {
        if (expected.equals(answer)) {
            return true;
        }
        String[] theirs = expected.split("\\|", -1);
        String[] ours = answer.split("\\|", -1);
        if (theirs.length != ours.length || theirs.length != types.length()) {
            return false;
        }
        for (int i = 0; i < ours.length; i++) {
            if (!theirs[i].equals(ours[i]) && !isSameValue(types.charAt(i), theirs[i], ours[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameValue(char type, String expected, String answer) {
        try {
            return switch (type) {
                case 'R' -> rounded(expected).compareTo(rounded(answer)) == 0;
                case 'J' -> JSON.readTree(expected).equals(JSON.readTree(answer));
                default -> false;
            };
        } catch (NumberFormatException | JsonProcessingException other) {
            return false;
        }
    }

    private static BigDecimal rounded(String number) {
        return new BigDecimal(number).round(DIGITS);
    }
}
