package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Session;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An index of a user table whose rows are in files, some of them hidden by newer ones in the store. */
@Timeout(120)
class UserIndexTest {
    private static final List<String> USERS = List.of("ann", "bob", "cid");

    /** Wide enough that each step takes a part of the rows of one user. */
    private static final String WIDE = "x".repeat(10_000);

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({"false, ''", "true, ''", "false, UNIQUE", "true, UNIQUE"})
    void everyStepGoesOnWhereTheLastOneEnded(boolean packed, String unique) {
        try (MemoryStore store = new MemoryStore();
                TierFixture sql = new TierFixture(store, directory)) {
            sql.run("CREATE USER TABLE basket (id INT PRIMARY KEY, name TEXT) WITH (packed = " + packed + ")");
            ofEach(sql, "INSERT INTO basket SELECT i, '" + WIDE + "' || i FROM generate_series(1, 120) AS g(i)");
            sql.run("FLUSH TABLE basket");
            ofEach(sql, "UPDATE basket SET name = '" + WIDE + "new' || id WHERE id % 10 = 1");
            ofEach(sql, "DELETE FROM basket WHERE id % 10 = 2");
            // Names that only hidden rows have.
            ofEach(
                    sql,
                    "INSERT INTO basket SELECT 1000 + i, '" + WIDE
                            + "' || i FROM generate_series(1, 120) AS g(i) WHERE i % 10 IN (1, 2)");
            sql.run("CREATE " + unique + " INDEX n ON basket (name)");
            for (String user : USERS) {
                try (Session session = sql.face.session(user)) {
                    verify(session);
                }
            }
        }
    }

    private static void ofEach(TierFixture sql, String statement) {
        for (String user : USERS) {
            try (Session session = sql.face.session(user)) {
                TierFixture.run(session, statement);
            }
        }
    }

    private static void verify(Session session) {
        assertThat(TierFixture.ask(session, "EXPLAIN SELECT id FROM basket WHERE name = 'x'"))
                .last()
                .asString()
                .contains("index n");
        for (int id = 1; id <= 120; id++) {
            boolean moved = id % 10 == 1 || id % 10 == 2;
            assertThat(named(session, String.valueOf(id))).containsExactly(String.valueOf(moved ? 1000 + id : id));
            if (id % 10 == 1) {
                assertThat(named(session, "new" + id)).containsExactly(String.valueOf(id));
            }
        }
    }

    private static List<String> named(Session session, String end) {
        return TierFixture.ask(session, "SELECT id FROM basket WHERE name = '" + WIDE + end + "'");
    }
}
