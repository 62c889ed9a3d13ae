package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random histories of definitions, writes, transactions and restarts, the same for us and for H2: each statement succeeds
 * for both or for none, and the rows are the same ever after.
 */
class RandomHistoryTest {
    private static final int STEPS = 150;
    private static final int STEPS_LONG = 500;
    private static final int KEYS = 30;

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({"1, SHARED, true", "4, USER, true", "7, STREAM, true", "12, SHARED, false"})
    void answersAsTheOracleDoes(long seed, String kind, boolean indexed) throws SQLException {
        run(seed, kind, indexed, STEPS);
    }

    @Tag("crash")
    @ParameterizedTest
    @CsvSource({
        "1, SHARED, true",
        "2, SHARED, true",
        "3, SHARED, false",
        "4, USER, true",
        "5, USER, false",
        "6, USER, true",
        "7, STREAM, true",
        "8, SHARED, true",
        "9, STREAM, false",
        "10, USER, true",
        "11, SHARED, true",
        "12, SHARED, false"
    })
    void longHistoriesAreAnsweredAsTheOracleDoes(long seed, String kind, boolean indexed) throws SQLException {
        run(seed, kind, indexed, STEPS_LONG);
    }

    private void run(long seed, String kind, boolean indexed, int steps) throws SQLException {
        try (MemoryStore store = new MemoryStore();
                Connection oracle = DriverManager.getConnection("jdbc:h2:mem:;MODE=PostgreSQL")) {
            new History(seed, kind, indexed, store, oracle).run(steps);
        }
    }

    private final class History {
        private final long seed;
        private final Random random;
        private final boolean stream;
        private final boolean indexed;
        private final String kind;
        private final MemoryStore store;
        private final Connection oracle;
        private final List<String> told = new ArrayList<>();
        private SqlFace face;
        private Session session;
        private boolean inside;
        private boolean saved;
        private boolean index;
        private final List<String> columns = new ArrayList<>();
        private int added;

        History(long seed, String kind, boolean indexed, MemoryStore store, Connection oracle) {
            this.seed = seed;
            this.kind = kind;
            this.indexed = indexed;
            this.store = store;
            this.oracle = oracle;
            random = new Random(seed);
            stream = kind.equals("STREAM");
            face = SqlFace.open(store, SqlOptions.in(directory));
            session = face.session("root");
        }

        void run(int steps) throws SQLException {
            String columns = " (id INT PRIMARY KEY, a INT, b VARCHAR(20), c DOUBLE PRECISION NOT NULL DEFAULT 0.5)";
            both("CREATE " + kind + " TABLE t" + columns, "CREATE TABLE t" + columns);
            if (indexed) {
                both("CREATE UNIQUE INDEX t_b ON t (b)");
                both("CREATE INDEX t_a ON t (a)");
            }
            for (int step = 0; step < steps; step++) {
                step();
                if (step % 10 == 0) {
                    if (kind.equals("USER")) {
                        write("bob");
                    }
                    compare();
                }
            }
            both(inside ? "COMMIT" : "SELECT 1");
            inside = false;
            compare();
            face.close();
        }

        private void step() throws SQLException {
            int dice = random.nextInt(100);
            if (dice < 35) {
                insert();
            } else if (dice < 45) {
                upsert();
            } else if (dice < 65 && !stream) {
                both("UPDATE t SET " + assignment() + " WHERE " + condition());
            } else if (dice < 75) {
                both("DELETE FROM t WHERE " + condition());
            } else if (dice < 85) {
                transaction();
            } else if (dice < 88 && !inside) {
                restart();
            } else if (dice < 93 && !inside) {
                define();
            } else if (dice < 93) {
                savepoint();
            } else {
                compare("SELECT id, a, b FROM t WHERE " + condition() + " ORDER BY id");
            }
        }

        private void insert() throws SQLException {
            both("INSERT INTO t (id, a, b) VALUES (" + key() + ", " + number() + ", " + text() + ")");
        }

        private void upsert() throws SQLException {
            String values = "(id, a) VALUES (" + key() + ", " + number() + ")";
            if (stream || random.nextBoolean()) {
                both(
                        "INSERT INTO t " + values + " ON CONFLICT (id) DO NOTHING",
                        "INSERT INTO t " + values + " ON CONFLICT DO NOTHING");
            } else {
                both(
                        "INSERT INTO t " + values + " ON CONFLICT (id) DO UPDATE SET a = excluded.a",
                        "MERGE INTO t " + values.replace(" VALUES", " KEY (id) VALUES"));
            }
        }

        /** Another definition of the table, half of the time of a column that an earlier step added. */
        private void define() throws SQLException {
            String column = columns.isEmpty() ? "" : columns.get(random.nextInt(columns.size()));
            switch (column.isEmpty() ? 0 : random.nextInt(8)) {
                case 0, 1 -> {
                    String name = "x" + ++added;
                    columns.add(name);
                    both("ALTER TABLE t ADD COLUMN " + name + " INT DEFAULT " + random.nextInt(5));
                }
                case 2 -> {
                    columns.remove(column);
                    both("ALTER TABLE t DROP COLUMN " + column);
                }
                case 3 -> {
                    String name = "y" + ++added;
                    columns.set(columns.indexOf(column), name);
                    both(
                            "ALTER TABLE t RENAME COLUMN " + column + " TO " + name,
                            "ALTER TABLE t ALTER COLUMN " + column + " RENAME TO " + name);
                }
                case 4 -> both("ALTER TABLE t ALTER COLUMN " + column + " SET DEFAULT " + random.nextInt(9));
                case 5 -> both("ALTER TABLE t ALTER COLUMN " + column + " DROP DEFAULT");
                case 6 ->
                    both("ALTER TABLE t ALTER COLUMN " + column + (random.nextBoolean() ? " SET" : " DROP")
                            + " NOT NULL");
                default -> {
                    both(index ? "DROP INDEX t_x" : "CREATE INDEX t_x ON t (a, b)");
                    index = !index;
                }
            }
        }

        private void savepoint() throws SQLException {
            if (saved && random.nextBoolean()) {
                both("ROLLBACK TO SAVEPOINT s");
            } else {
                both("SAVEPOINT s");
                saved = true;
            }
        }

        /** Rows of another user under the same keys, which the first one never sees. */
        private void write(String user) {
            try (Session other = face.session(user)) {
                other.execute("INSERT INTO t (id, a, b) VALUES (" + key() + ", 1, 'other') ON CONFLICT DO NOTHING");
            }
        }

        private String assignment() {
            return switch (random.nextInt(4)) {
                case 0 -> "a = a + 1";
                case 1 -> "b = " + text();
                case 2 -> "c = c * 2, a = NULL";
                default -> "a = " + number() + ", b = b || 'x'";
            };
        }

        private String condition() {
            return switch (random.nextInt(7)) {
                case 0 -> "id = " + key();
                case 1 -> "id BETWEEN " + key() + " AND " + key();
                case 2 -> "a > " + number();
                case 3 -> "b = " + text();
                case 4 -> "id IN (" + key() + ", " + key() + ") AND a IS NOT NULL";
                case 5 -> "b LIKE 't1%' OR id < " + random.nextInt(5);
                default -> "a = (SELECT max(a) FROM t) AND length(b) > 1";
            };
        }

        private int key() {
            return random.nextInt(KEYS);
        }

        private String number() {
            return random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(20));
        }

        private String text() {
            return random.nextInt(8) == 0 ? "NULL" : "'t" + random.nextInt(40) + "'";
        }

        private void transaction() throws SQLException {
            if (inside) {
                both(random.nextBoolean() ? "COMMIT" : "ROLLBACK");
                oracle.setAutoCommit(true);
                inside = false;
            } else {
                oracle.setAutoCommit(false);
                session.execute("BEGIN");
                told.add("BEGIN");
                inside = true;
                saved = false;
            }
        }

        private void restart() {
            face.close();
            face = SqlFace.open(store, SqlOptions.in(directory));
            session = face.session("root");
            told.add("-- restart");
        }

        private void both(String sql) throws SQLException {
            both(sql, sql);
        }

        private void both(String ours, String theirs) throws SQLException {
            told.add(ours);
            boolean wrote = succeeds(ours);
            boolean theyWrote;
            try (Statement statement = oracle.createStatement()) {
                statement.execute(theirs);
                theyWrote = true;
            } catch (SQLException refused) {
                theyWrote = false;
            }
            assertThat(wrote).as("%s", this).isEqualTo(theyWrote);
            if (!wrote && inside) {
                // A failed statement ends our transaction, as PostgreSQL's; H2 would continue.
                session.execute("ROLLBACK");
                oracle.rollback();
                oracle.setAutoCommit(true);
                inside = false;
                told.add("ROLLBACK");
            }
        }

        private boolean succeeds(String sql) {
            try {
                if (session.execute(sql) instanceof Outcome.Rows rows) {
                    rows.rows().close();
                }
                return true;
            } catch (SqlError refused) {
                return false;
            }
        }

        private void compare() throws SQLException {
            compare("SELECT * FROM t ORDER BY id");
            compare("SELECT count(*), sum(a), min(b) FROM t");
        }

        private void compare(String sql) throws SQLException {
            List<List<String>> ours = new ArrayList<>();
            try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (Object value : rows.row()) {
                        row.add(shown(value));
                    }
                    ours.add(row);
                }
            }
            List<List<String>> theirs = new ArrayList<>();
            try (Statement statement = oracle.createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        row.add(shown(rows.getObject(i)));
                    }
                    theirs.add(row);
                }
            }
            assertThat(ours).as("%s, %s", this, sql).isEqualTo(theirs);
        }

        private String shown(@Nullable Object value) {
            return String.valueOf(value);
        }

        @Override
        public String toString() {
            return "seed " + seed + ":\n" + String.join(";\n", told);
        }
    }
}
