package io.polytable.sql;

import static io.polytable.sql.ConflictTest.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Table;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creation of an index under concurrent writes: those between its steps are in the index. */
@Timeout(120)
class IndexCreationTest {
    private static final int ROWS = 300;

    /** Wide enough that each step takes a part of the rows. */
    private static final String WIDE = "x".repeat(10_000);

    @TempDir
    private Path directory = Path.of("");

    private final HookedStore store = new HookedStore(new MemoryStore());
    private SqlFace face;
    private Session session;
    private Session other;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        session = face.session("root");
        other = face.session("root");
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, name TEXT, v INT DEFAULT 0)");
        session.execute("INSERT INTO t SELECT i, '" + WIDE + "' || i FROM generate_series(1, " + ROWS + ") AS g(i)");
    }

    @AfterEach
    void close() {
        session.close();
        other.close();
        face.close();
        store.close();
    }

    /** After the n-th step, when others may commit. */
    private void afterStep(int number, String... statements) {
        store.beforeDurable(number, () -> List.of(statements).forEach(other::execute));
    }

    private String named(String end) {
        return rows(session, "SELECT id FROM t WHERE name = '" + WIDE + end + "' ORDER BY id");
    }

    private void indexAgreesWithTheRows() {
        assertThat(rows(session, "EXPLAIN SELECT id FROM t WHERE name = 'x'")).contains("index");
        for (String row : rows(session, "SELECT id, right(name, 3) FROM t WHERE id % 25 < 2 ORDER BY id")
                .split(" ", -1)) {
            String id = row.substring(0, row.indexOf('|'));
            assertThat(List.of(rows(session, "SELECT id FROM t WHERE name = (SELECT name FROM t WHERE id = " + id + ")")
                            .split(" ", -1)))
                    .contains(id);
        }
    }

    private long tables() {
        return store.tables().stream()
                .map(Table::name)
                .filter(name -> name.namespace().equals("default"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE INDEX n ON t (name)", "CREATE UNIQUE INDEX n ON t (name)"})
    void whatOthersWriteMeanwhileIsInTheIndex(String statement) {
        afterStep(
                1,
                "UPDATE t SET name = '" + WIDE + "first' WHERE id = 1",
                "UPDATE t SET name = '" + WIDE + "last' WHERE id = 300",
                "UPDATE t SET v = 1 WHERE id IN (2, 299)",
                "DELETE FROM t WHERE id IN (3, 298)",
                "INSERT INTO t VALUES (0, '" + WIDE + "1'), (400, '" + WIDE + "300')");
        session.execute(statement);
        assertThat(named("first") + " " + named("last")).isEqualTo("1 300");
        assertThat(named("1") + " " + named("300")).isEqualTo("0 400");
        assertThat(named("2") + " " + named("299")).isEqualTo("2 299");
        assertThat(named("3") + named("298")).isEmpty();
        indexAgreesWithTheRows();
    }

    @Test
    void aRowWithTheValueOfOneThatIsNotThereYetEndsAUniqueIndex() {
        long before = tables();
        afterStep(1, "INSERT INTO t VALUES (0, '" + WIDE + "300')");
        assertThatThrownBy(() -> session.execute("CREATE UNIQUE INDEX n ON t (name)"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.UNIQUE_VIOLATION));
        assertThat(tables()).isEqualTo(before);
        other.execute("INSERT INTO t VALUES (401, '" + WIDE + "300')");
        assertThat(named("300")).isEqualTo("0 300 401");
    }

    @Test
    void aDuplicateThatIsGoneAgainKeepsTheOthersEntry() {
        afterStep(1, "INSERT INTO t VALUES (0, '" + WIDE + "300')", "DELETE FROM t WHERE id = 300");
        session.execute("CREATE UNIQUE INDEX n ON t (name)");
        assertThat(named("300")).isEqualTo("0");
        assertThatThrownBy(() -> other.execute("INSERT INTO t VALUES (401, '" + WIDE + "300')"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.UNIQUE_VIOLATION));
    }

    @Test
    void twoIndexesOfOneTableAreCreatedBesideEachOther() {
        afterStep(1, "CREATE INDEX of_v ON t (v)", "UPDATE t SET v = 7 WHERE id = 300");
        session.execute("CREATE INDEX n ON t (name)");
        assertThat(rows(session, "SELECT id FROM t WHERE v = 7")).isEqualTo("300");
        indexAgreesWithTheRows();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"CREATE INDEX n ON t (v)", "CREATE INDEX IF NOT EXISTS n ON t (v)", "CREATE INDEX n ON u (id)"})
    void theNameOfAnIndexThatIsBeingFilledIsTaken(String statement) {
        session.execute("CREATE TABLE u (id INT PRIMARY KEY)");
        store.beforeDurable(1, () -> refused(other, statement, SqlCode.DUPLICATE_TABLE));
        session.execute("CREATE INDEX n ON t (name)");
        indexAgreesWithTheRows();
        assertThat(tables()).as("two, and one index").isEqualTo(3);
    }

    private static void refused(Session session, String statement, SqlCode code) {
        assertThatThrownBy(() -> session.execute(statement))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    /** The writer planned to maintain the index, which is gone when it writes. */
    @Test
    void aWriterDoesNotFailWithTheCreation() {
        CountDownLatch found = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        CompletableFuture<Boolean> began = new CompletableFuture<>();
        CompletableFuture<Void> writing =
                began.thenRunAsync(() -> other.execute("UPDATE t SET name = 'w' || id WHERE id < 3"));
        store.beforeDurable(1, () -> {
            store.beforeScan("t", 1, () -> {
                found.countDown();
                await(failed);
            });
            began.complete(true);
            await(found);
            try (Session third = face.session("root")) {
                third.execute("INSERT INTO t VALUES (0, '" + WIDE + "300')");
            }
        });
        refused(session, "CREATE UNIQUE INDEX n ON t (name)", SqlCode.UNIQUE_VIOLATION);
        failed.countDown();
        writing.join();
        assertThat(rows(session, "SELECT name FROM t WHERE id < 3 ORDER BY id")).isEqualTo("w0 w1 w2");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void anErrorOfTheMachineLeavesNoIndexEither() {
        long before = tables();
        store.beforeDurable(1, () -> {
            throw new OutOfMemoryError("By the test's will");
        });
        assertThatThrownBy(() -> session.execute("CREATE INDEX n ON t (name)")).isInstanceOf(OutOfMemoryError.class);
        assertThat(tables()).isEqualTo(before);
        session.execute("CREATE INDEX n ON t (name)");
        indexAgreesWithTheRows();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALTER TABLE t DROP COLUMN name", "DROP TABLE t"})
    void aTableThatIsRedefinedMeanwhileGetsNoIndex(String statement) {
        afterStep(1, statement);
        assertThatThrownBy(() -> session.execute("CREATE INDEX n ON t (name)"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.SERIALIZATION_FAILURE));
        assertThat(tables()).isEqualTo(statement.startsWith("DROP") ? 0 : 1);
    }

    /** Also in a transaction that began before the index: its rows would be missing in the index. */
    @Test
    void anOpenTransactionIsToldToRetry() {
        other.execute("BEGIN");
        other.execute("INSERT INTO t VALUES (500, 'late')");
        session.execute("CREATE INDEX n ON t (name)");
        assertThatThrownBy(() -> other.execute("COMMIT"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.SERIALIZATION_FAILURE));
        assertThat(rows(session, "SELECT count(*) FROM t WHERE name = 'late'")).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void writersOnAnotherThreadLoseNothing(long seed) {
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            Random random = new Random(seed);
            while (!ended.get()) {
                int id = random.nextInt(ROWS * 2);
                switch (random.nextInt(3)) {
                    case 0 -> other.execute("DELETE FROM t WHERE id = ?", id);
                    case 1 -> other.execute("UPDATE t SET name = ? WHERE id = ?", WIDE + random.nextInt(50), id);
                    default ->
                        other.execute(
                                "INSERT INTO t VALUES (?, ?) ON CONFLICT DO NOTHING", id, WIDE + random.nextInt(50));
                }
            }
        });
        session.execute("CREATE INDEX n ON t (name)");
        ended.set(true);
        writing.join();
        for (int name = 0; name < 50; name += 7) {
            String wanted = WIDE + name;
            assertThat(named(String.valueOf(name)))
                    .as("seed %d", seed)
                    .isEqualTo(rows(session, "SELECT id FROM t WHERE concat(name) = '" + wanted + "' ORDER BY id"));
        }
    }
}
