package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.Settings;
import io.polytable.sql.command.session.Session;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators see of a statement that names a secret: in the statement log, in slow queries, in sessions. */
class HiddenTextsTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"SET redis.requirepass = 'pa55'", "set Redis.RequirePass TO 'pa55'"})
    void theValueOfAServersSettingIsHidden(String statement) {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = open(store);
                Session session = face.session("root")) {
            session.execute(statement);
            assertThat(session.activity()).startsWith("SET ").endsWith(" = ***").doesNotContain("pa55");
        }
    }

    @Test
    void otherStatementsAreShown() {
        try (MemoryStore store = new MemoryStore();
                SqlFace face = open(store);
                Session session = face.session("root")) {
            session.execute("SET statement_timeout = '5s'");
            assertThat(session.activity()).isEqualTo("SET statement_timeout = '5s'");
        }
    }

    private SqlFace open(MemoryStore store) {
        return SqlFace.open(
                store,
                new SqlOptions(
                        directory,
                        512L << 20,
                        2,
                        1L << 30,
                        Duration.ofSeconds(60),
                        Settings.defaults(SqlSettings.all())));
    }
}
