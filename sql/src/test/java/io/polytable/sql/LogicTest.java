package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Prepared;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the files of {@code sqllogic}: what each statement answers, over the whole grammar. */
class LogicTest {
    private static final Path FILES = Path.of("src/test/resources/sqllogic");
    private static final boolean REWRITE = Boolean.getBoolean("sqllogic.rewrite");

    @TempDir
    private Path directory = Path.of("");

    static Stream<String> files() throws IOException {
        try (Stream<Path> all = Files.list(FILES)) {
            return all
                    .filter(Files::isRegularFile)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void answersAsTheFileSays(String name) throws IOException {
        LogicFile file = LogicFile.read(FILES.resolve(name));
        List<LogicFile.Step> answered = new ArrayList<>();
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory))) {
            Session session = face.session("root");
            for (LogicFile.Step record : file.records()) {
                LogicFile.Step answer = record.isComment() ? record : run(session, record);
                answered.add(answer);
                if (!REWRITE) {
                    assertThat(answer)
                            .as("%s, line %d: %s", name, record.line(), record.sql())
                            .isEqualTo(record);
                }
            }
        }
        if (REWRITE) {
            file.rewrite(answered);
        }
    }

    static LogicFile.Step run(Session session, LogicFile.Step record) {
        List<String> rows = new ArrayList<>();
        String head = record.isQuery() ? record.head() : "statement ok";
        try {
            for (Prepared statement : session.prepare(record.sql())) {
                Outcome outcome = session.execute(statement, new Object[0]);
                if (outcome instanceof Outcome.Rows result) {
                    rows = rows(result.rows());
                }
            }
        } catch (SqlError error) {
            head = "statement error " + error.code();
        }
        if (record.isSorted()) {
            rows.sort(null);
        }
        return record.answered(head, record.isQuery() ? rows : List.of());
    }

    static List<String> rows(QueryRows rows) {
        List<String> lines = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (Object value : rows.row()) {
                    values.add(shown(value));
                }
                lines.add(String.join("|", values));
            }
        }
        return lines;
    }

    static String shown(@Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        String text = Texts.of(value);
        return text.isEmpty() ? "(empty)" : text.replace("\n", "\\n").stripTrailing();
    }
}
