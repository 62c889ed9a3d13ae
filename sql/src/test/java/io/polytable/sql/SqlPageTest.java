package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Prepared;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.Texts;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/sql.md, from top to bottom: each runs, and answers what stands below it. */
class SqlPageTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("```sql\\n(.*?)\\n```\\n(?:\\n```text\\n(.*?)\\n```)?", Pattern.DOTALL);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void examplesAnswerWhatTheySay() throws IOException {
        Path page = Path.of(System.getProperty("polytable.root", ".."), "docs", "sql.md");
        Matcher examples = EXAMPLE.matcher(Files.readString(page));
        int count = 0;
        try (MemoryStore store = new MemoryStore();
                SqlFace face = open(store)) {
            Session session = face.session("root");
            while (examples.find()) {
                count++;
                String shown = run(session, examples.group(1));
                if (examples.group(2) != null) {
                    assertThat(shown).as(examples.group(1)).isEqualTo(examples.group(2));
                }
            }
        }
        assertThat(count).isGreaterThan(5);
    }

    private SqlFace open(MemoryStore store) {
        Sessions sessions = new Sessions();
        InstantSource clock = InstantSource.system();
        Users users = Users.open(store, sessions, clock);
        return SqlFace.open(store, SqlOptions.in(directory), SqlMemory.standard(), List::of, clock, sessions, users);
    }

    private static String run(Session session, String text) {
        List<String> lines = new ArrayList<>();
        for (Prepared statement : session.prepare(text)) {
            lines.clear();
            if (session.execute(statement, new Object[0]) instanceof Outcome.Rows result) {
                try (QueryRows rows = result.rows()) {
                    while (rows.next()) {
                        List<String> values = new ArrayList<>();
                        for (Object value : rows.row()) {
                            values.add(value == null ? "null" : Texts.of(value));
                        }
                        lines.add(String.join(" | ", values));
                    }
                }
            }
        }
        return String.join("\n", lines);
    }
}
