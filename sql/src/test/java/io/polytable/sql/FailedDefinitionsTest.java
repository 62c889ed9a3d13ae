package io.polytable.sql;

import static io.polytable.sql.ConflictTest.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.model.catalog.DefinitionRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Definitions that fail halfway leave nothing behind that a later statement could mistake for its own. */
@Timeout(60)
class FailedDefinitionsTest {
    @TempDir
    private Path directory = Path.of("");

    private final HookedStore store = new HookedStore(new MemoryStore());
    private SqlFace face;
    private Session session;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        session = face.session("root");
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        session.execute("INSERT INTO t VALUES (1, 10)");
    }

    private void reopen() {
        session.close();
        face.close();
        face = SqlFace.open(store, SqlOptions.in(directory));
        session = face.session("root");
    }

    @AfterEach
    void close() {
        session.close();
        face.close();
        store.close();
    }

    /** The store has the column already when its definition cannot be written, as after a kill between the two. */
    private void failAtTheDefinition(String statement) {
        failAtCommit(1, statement);
    }

    private void failAtCommit(int number, String statement) {
        store.beforeCommit(number, () -> {
            throw new StoreException(StoreError.IO, "The disk is full, by the test's will");
        });
        assertThatThrownBy(() -> session.execute(statement)).isInstanceOf(StoreException.class);
    }

    /** What a view reads is known without DuckDB, which may have no connection left. */
    @Test
    void aTableThatAViewReadsStaysAlsoWhileNoQueryCanRun() {
        session.execute("CREATE VIEW w AS SELECT v FROM t");
        List<QueryRows> busy = new ArrayList<>();
        List<Session> sessions = new ArrayList<>();
        try {
            while (true) {
                Session other = face.session("root");
                sessions.add(other);
                busy.add(((Outcome.Rows) other.execute("SELECT x FROM range(100000) r(x)")).rows());
            }
        } catch (SqlError full) {
            assertThat(full.code()).isEqualTo(SqlCode.TOO_MANY);
        }
        assertThatThrownBy(() -> session.execute("DROP TABLE t"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.DEPENDENT_OBJECTS));
        busy.forEach(QueryRows::close);
        sessions.forEach(Session::close);
        assertThat(rows(session, "SELECT * FROM w")).isEqualTo("10");
    }

    @Test
    void aColumnThatAFailedAttemptLeftIsNotTakenForOneOfAnotherType() {
        failAtTheDefinition("ALTER TABLE t ADD COLUMN b INT");
        failAtTheDefinition("ALTER TABLE t ADD COLUMN b BOOLEAN");
        session.execute("INSERT INTO t VALUES (2, 20)");
        session.execute("ALTER TABLE t ADD COLUMN b TEXT");
        session.execute("ALTER TABLE t ADD COLUMN c INT");
        session.execute("INSERT INTO t VALUES (3, 30, 'new', 300)");
        String expected = "1|10|null|null 2|20|null|null 3|30|new|300";
        assertThat(rows(session, "SELECT * FROM t ORDER BY id")).isEqualTo(expected);
        assertThat(rows(session, "SELECT id, max(v), max(b), max(c) FROM t GROUP BY id ORDER BY id"))
                .isEqualTo(expected);
        reopen();
        assertThat(rows(session, "SELECT * FROM t ORDER BY id")).isEqualTo(expected);
        session.execute("ALTER TABLE t DROP COLUMN b");
        assertThat(rows(session, "SELECT id, c FROM t ORDER BY id")).isEqualTo("1|null 2|null 3|300");
    }

    @Test
    void aColumnThatAFailedAttemptLeftIsTakenByTheNextOneOfItsType() {
        failAtTheDefinition("ALTER TABLE t ADD COLUMN b INT");
        session.execute("ALTER TABLE t ADD COLUMN c INT DEFAULT 7");
        session.execute("INSERT INTO t (id, c) VALUES (2, 8)");
        reopen();
        assertThat(rows(session, "SELECT * FROM t ORDER BY id")).isEqualTo("1|10|7 2|null|8");
    }

    /** A commit after the first would fail. */
    @Test
    void aDropOfSeveralTablesWithTheirViewsIsOneCommit() {
        session.execute("CREATE TABLE a (id INT PRIMARY KEY)");
        session.execute("CREATE TABLE b (id INT PRIMARY KEY)");
        session.execute("CREATE VIEW v AS SELECT id FROM a");
        session.execute("CREATE VIEW w AS SELECT id FROM v");
        refused("DROP TABLE a, b", SqlCode.DEPENDENT_OBJECTS);
        refused("DROP VIEW v", SqlCode.DEPENDENT_OBJECTS);
        failAtCommit(1, "DROP TABLE a, b CASCADE");
        assertThat(rows(session, "SELECT count(*) FROM w, b")).isEqualTo("0");
        store.beforeCommit(2, () -> {
            throw new StoreException(StoreError.IO, "The disk is full, by the test's will");
        });
        session.execute("DROP TABLE a, b CASCADE");
        for (String gone : List.of("a", "b", "v", "w")) {
            refused("SELECT * FROM " + gone, SqlCode.UNDEFINED_TABLE);
        }
        reopen();
        refused("SELECT * FROM a", SqlCode.UNDEFINED_TABLE);
    }

    @Test
    void viewsThatReadEachOtherAreDroppedTogether() {
        session.execute("CREATE VIEW v AS SELECT id FROM t");
        session.execute("CREATE VIEW w AS SELECT id FROM v");
        session.execute("DROP VIEW v, w");
        refused("SELECT * FROM w", SqlCode.UNDEFINED_TABLE);
    }

    private void refused(String statement, SqlCode code) {
        assertThatThrownBy(() -> session.execute(statement))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    @Test
    void anAlterTableOfSeveralActionsHappensWholeOrNotAtAll() {
        refused("ALTER TABLE t ADD COLUMN x INT, DROP COLUMN nosuch", SqlCode.UNDEFINED_COLUMN);
        refused("ALTER TABLE t RENAME COLUMN v TO w, ALTER COLUMN v SET NOT NULL", SqlCode.UNDEFINED_COLUMN);
        refused("ALTER TABLE t ADD COLUMN x INT, ALTER COLUMN x SET NOT NULL", SqlCode.NOT_NULL_VIOLATION);
        session.execute("CREATE TABLE taken (id INT PRIMARY KEY)");
        refused("ALTER TABLE t ADD COLUMN x INT, RENAME TO taken", SqlCode.DUPLICATE_TABLE);
        assertThat(rows(session, "SELECT * FROM t")).isEqualTo("1|10");
        assertThat(rows(session, "DESCRIBE t HISTORY")).isEqualTo("1|id int, v int|{}");
    }

    @Test
    void eachActionOfAnAlterTableSeesThoseBefore() {
        session.execute(
                "ALTER TABLE t RENAME TO u, ADD COLUMN gone BIGINT, ADD COLUMN x INT DEFAULT 5, DROP COLUMN gone,"
                        + " ALTER COLUMN x SET NOT NULL, ALTER COLUMN x SET DEFAULT 6, RENAME COLUMN x TO y");
        session.execute("INSERT INTO u (id) VALUES (2)");
        assertThat(rows(session, "SELECT * FROM u ORDER BY id")).isEqualTo("1|10|5 2|null|6");
        refused("INSERT INTO u VALUES (3, 3, NULL)", SqlCode.NOT_NULL_VIOLATION);
        session.execute("ALTER TABLE u ADD COLUMN IF NOT EXISTS y TEXT, ADD COLUMN z TEXT");
        session.execute("INSERT INTO u VALUES (3, 3, 3, 'z')");
        reopen();
        assertThat(rows(session, "SELECT * FROM u ORDER BY id")).isEqualTo("1|10|5|null 2|null|6|null 3|3|3|z");
        assertThat(rows(session, "DESCRIBE u HISTORY"))
                .as("one version a statement")
                .isEqualTo("1|id int, v int|{} 2|id int, v int, y int|{} 3|id int, v int, y int, z text|{}");
    }

    @Test
    void aDefaultFarInTheFutureIsReadAgain() {
        session.execute("ALTER TABLE t ADD COLUMN d DATE DEFAULT '10000-01-01'");
        session.execute("ALTER TABLE t ADD COLUMN m TIMESTAMP DEFAULT '0044-03-15 01:02:03 BC'");
        reopen();
        String expected = "1|10|+10000-01-01|-0043-03-15T01:02:03Z";
        assertThat(rows(session, "SELECT * FROM t WHERE id = 1")).isEqualTo(expected);
        assertThat(rows(session, "SELECT id, max(v), max(d), max(m) FROM t GROUP BY id"))
                .isEqualTo(expected);
        session.execute("FLUSH TABLE t");
        session.execute("ALTER TABLE t ADD COLUMN e DATE DEFAULT '0044-03-15 BC'");
        assertThat(rows(session, "SELECT id, max(d), max(e) FROM t GROUP BY id"))
                .isEqualTo("1|+10000-01-01|-0043-03-15");
    }

    @Test
    void aDamagedDefinitionCostsOnlyItsTable() {
        session.execute("CREATE TABLE u (id INT PRIMARY KEY)");
        DefinitionRows definitions = new DefinitionRows(store, "tables");
        String whole = definitions.all().get(0);
        assertThat(whole).contains("\"t\"");
        define(definitions, "{\"name\":");
        reopen();
        assertThat(rows(session, "SELECT count(*) FROM u")).isEqualTo("0");
        for (String statement : List.of(
                "SELECT * FROM t",
                "INSERT INTO t VALUES (2, 20)",
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "DROP TABLE t",
                "ALTER TABLE u RENAME TO t",
                "DROP NAMESPACE \"default\" CASCADE")) {
            refused(statement, SqlCode.UNAVAILABLE);
        }
        define(definitions, whole);
        reopen();
        assertThat(rows(session, "SELECT * FROM t")).as("its rows were kept").isEqualTo("1|10");
    }

    private void define(DefinitionRows definitions, String json) {
        Batch batch = new Batch();
        definitions.put(batch, "default.t", json);
        store.commit(batch).awaitDurable();
    }

    @Test
    void aTableOfAQueryThatFailsIsNotThere() {
        failAtCommit(2, "CREATE TABLE made AS SELECT id FROM t");
        refused("SELECT * FROM made", SqlCode.UNDEFINED_TABLE);
        session.execute("CREATE TABLE made AS SELECT id FROM t");
        assertThat(rows(session, "SELECT * FROM made")).isEqualTo("1");
    }

    @Test
    void severalTablesAreTruncatedOrDroppedTogetherOrNotAtAll() {
        session.execute("CREATE TABLE u (id INT PRIMARY KEY)");
        session.execute("INSERT INTO u VALUES (2)");
        refused("TRUNCATE t, nosuch", SqlCode.UNDEFINED_TABLE);
        refused("DROP TABLE t, nosuch", SqlCode.UNDEFINED_TABLE);
        failAtTheDefinition("TRUNCATE t, u");
        assertThat(rows(session, "SELECT t.id, u.id FROM t, u")).isEqualTo("1|2");
        session.execute("TRUNCATE t, u, t");
        assertThat(rows(session, "SELECT count(*) FROM (SELECT id FROM t UNION ALL SELECT id FROM u)"))
                .isEqualTo("0");
        session.execute("CREATE VIEW of_u AS SELECT * FROM u");
        refused("DROP TABLE t, u", SqlCode.DEPENDENT_OBJECTS);
        session.execute("DROP TABLE t, u, t CASCADE");
        refused("SELECT * FROM t", SqlCode.UNDEFINED_TABLE);
    }

    /** Another session defines or drops the same between the check of a statement and its change. */
    @Test
    void conditionsOfDefinitionsHoldWhenTheyAreRaced() {
        try (Session other = face.session("root")) {
            store.beforeCommit(1, () -> other.execute("CREATE TABLE IF NOT EXISTS raced (id INT PRIMARY KEY)"));
            session.execute("CREATE TABLE IF NOT EXISTS raced (id INT PRIMARY KEY)");
            assertThat(rows(session, "SELECT count(*) FROM raced")).isEqualTo("0");
            session.execute("DROP TABLE IF EXISTS raced");
        }
    }

    @Test
    void manySessionsCreateAndDropTheSame() {
        List<CompletableFuture<Void>> racing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            racing.add(CompletableFuture.runAsync(() -> {
                try (Session own = face.session("root")) {
                    for (int round = 0; round < 25; round++) {
                        own.execute("CREATE TABLE IF NOT EXISTS raced (id INT PRIMARY KEY, v INT)");
                        own.execute("DROP TABLE IF EXISTS raced");
                        own.execute("CREATE NAMESPACE IF NOT EXISTS space");
                        own.execute("DROP NAMESPACE IF EXISTS space");
                        own.execute("CREATE INDEX IF NOT EXISTS t_v ON t (v DESC)");
                        own.execute("DROP INDEX IF EXISTS t_v");
                    }
                }
            }));
        }
        racing.forEach(CompletableFuture::join);
    }
}
