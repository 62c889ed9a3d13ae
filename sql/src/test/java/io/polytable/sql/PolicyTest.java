package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.Session;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row policies answer as PostgreSQL's, see {@code policies.txt}, wherever a table's rows are. */
class PolicyTest {
    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private final Sessions sessions = new Sessions();
    private final Users users = Users.open(store, sessions, InstantSource.system());

    @SuppressWarnings("NullAway.Init") // before each test
    private SqlFace face;

    @BeforeEach
    void open() {
        face = SqlFace.open(
                store,
                SqlOptions.in(directory),
                SqlMemory.standard(),
                List::of,
                InstantSource.system(),
                sessions,
                users);
    }

    @AfterEach
    void close() {
        face.close();
    }

    private String run(String line) {
        return UserScript.answer(face, UserScript.Line.of(line + " => "));
    }

    private void setUp() {
        try (Session root = face.session("root")) {
            for (String statement : List.of(
                    "CREATE USER ann",
                    "CREATE TABLE docs (id INT PRIMARY KEY, owner TEXT, word TEXT)",
                    "INSERT INTO docs VALUES (1, 'ann', 'a'), (2, 'bob', 'h1dden'), (3, 'ann', 'c')",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON docs TO ann",
                    "CREATE POLICY own ON docs USING (owner = current_user)",
                    "ALTER TABLE docs ENABLE ROW LEVEL SECURITY")) {
                root.execute(statement);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void policiesActAsInPostgres(boolean flushed) throws IOException {
        SoftAssertions all = new SoftAssertions();
        for (UserScript.Line line : UserScript.lines("policies.txt")) {
            String answer = UserScript.answer(face, line);
            all.assertThat(answer)
                    .as("%s", line)
                    .matches(found -> UserScript.isAsExpected(line, found), "is " + line.expected());
            if (flushed && !line.statements().startsWith("CREATE USER")) {
                run("root: FLUSH ALL");
            }
        }
        all.assertAll();
    }

    @Test
    void aPreparedStatementAndItsPlanFollowThePolicies() {
        setUp();
        try (Session ann = face.session("ann")) {
            ann.execute("PREPARE p AS SELECT word FROM docs WHERE id = $1");
            ann.execute("PREPARE q AS SELECT count(*) + 0 AS n FROM docs WHERE word <> $1");
            assertThat(UserScript.answer(ann.execute("EXECUTE p(2)"))).isEqualTo("none");
            assertThat(UserScript.answer(ann.execute("EXECUTE q('')"))).isEqualTo("[2]");
            run("root: ALTER POLICY own ON docs USING (true)");
            assertThat(UserScript.answer(ann.execute("EXECUTE p(2)"))).isEqualTo("[h1dden]");
            assertThat(UserScript.answer(ann.execute("EXECUTE q('')"))).isEqualTo("[3]");
            run("root: DROP POLICY own ON docs");
            assertThat(UserScript.answer(ann.execute("EXECUTE p(1)"))).isEqualTo("none");
            assertThat(UserScript.answer(ann.execute("EXECUTE q('')"))).isEqualTo("[0]");
        }
    }

    @Test
    void noErrorAndNoPlanShowsAHiddenRow() {
        setUp();
        for (String statement : List.of(
                "SELECT CAST(word AS INT) FROM docs WHERE owner = 'bob'",
                "SELECT id FROM docs WHERE error(word) IS NULL AND owner = 'bob'",
                "SELECT 1 / (id - 2) FROM docs",
                "EXPLAIN SELECT * FROM docs WHERE word LIKE 'h%'",
                "SELECT word FROM docs WHERE _deleted OR word LIKE 'h%'",
                "SELECT d.word FROM docs d JOIN docs e ON d.id = e.id + 1",
                "SELECT * FROM docs AS OF 1",
                "INSERT INTO docs VALUES (2, 'ann', 'x') ON CONFLICT (id) DO UPDATE SET word = 'y' WHERE CAST(docs.word AS INT) = 1",
                "UPDATE docs SET word = 'x' WHERE CAST(word AS INT) = 1 AND id = 2",
                "DELETE FROM docs WHERE id = 2 AND CAST(word AS INT) = 1")) {
            for (String where : List.of("", "root: FLUSH TABLE docs")) {
                if (!where.isEmpty()) {
                    run(where);
                }
                assertThat(run("ann: " + statement)).as(statement).doesNotContain("h1dden", "Division");
            }
        }
        assertThat(run("root: SELECT word FROM docs WHERE id = 2")).isEqualTo("[h1dden]");
    }

    @Test
    void aTransactionSeesThePoliciesOfItsStatements() {
        setUp();
        try (Session ann = face.session("ann")) {
            ann.execute("BEGIN");
            assertThat(UserScript.answer(ann.execute("SELECT count(*) FROM docs")))
                    .isEqualTo("[2]");
            ann.execute("INSERT INTO docs VALUES (4, 'ann', 'd')");
            assertThat(UserScript.answer(ann.execute("SELECT id FROM docs"))).isEqualTo("[1][3][4]");
            assertThat(UserScript.answer(ann.execute("UPDATE docs SET word = word || '!' WHERE id IN (2, 4)")))
                    .isEqualTo("count 1");
            ann.execute("COMMIT");
        }
        assertThat(run("root: SELECT word FROM docs WHERE id = 2")).isEqualTo("[h1dden]");
    }

    @Test
    void policiesArePartOfTheDefinition() {
        setUp();
        close();
        open();
        assertThat(run("ann: SELECT id FROM docs")).isEqualTo("[1][3]");
        assertThat(run("root: SELECT policy_name, enabled, permissive, command, roles, using_condition, check_condition"
                        + " FROM system.policies"))
                .isEqualTo("[own, true, PERMISSIVE, ALL, public, owner = current_user, null]");
        assertThat(run("root: ALTER TABLE docs DROP COLUMN owner")).startsWith("2BP01");
        assertThat(run("root: ALTER TABLE docs RENAME COLUMN owner TO x")).startsWith("2BP01");
        run("root: ALTER POLICY own ON docs TO ann USING (docs.owner = current_user)");
        run("root: ALTER TABLE docs RENAME TO papers");
        assertThat(run("ann: SELECT id FROM papers")).startsWith("42501");
        run("root: GRANT SELECT ON papers TO ann");
        assertThat(run("ann: SELECT id FROM papers")).isEqualTo("[1][3]");
        assertThat(run("root: DROP USER ann")).startsWith("2BP01");
        run("root: DROP POLICY own ON papers");
        assertThat(run("root: DROP USER ann")).isEqualTo("count 0");
    }

    @Test
    void whatIsNotSupportedIsRefused() {
        setUp();
        run("root: CREATE USER TABLE notes (id INT PRIMARY KEY)");
        assertThat(run("root: ALTER TABLE notes ENABLE ROW LEVEL SECURITY")).startsWith("42809");
        assertThat(run("root: CREATE POLICY p ON notes USING (true)")).startsWith("42809");
        assertThat(run("root: ALTER TABLE docs FORCE ROW LEVEL SECURITY")).startsWith("0A000");
        assertThat(run("root: CREATE POLICY p ON docs USING (id IN (SELECT 1))"))
                .startsWith("0A000");
        assertThat(run("root: CREATE POLICY p ON docs USING (id = $1)")).startsWith("42P02");
        assertThat(run("root: CREATE POLICY p ON docs USING (id)")).startsWith("42804");
    }
}
