package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random histories of writes, transactions, flushes, compactions, ALTERs, TRUNCATEs and restarts beside H2: each statement
 * succeeds for both or for none, and whatever way a query takes, the rows are the same.
 */
class TierHistoryTest {
    private static final int STEPS = 70;
    private static final int STEPS_LONG = 300;
    private static final int KEYS = 25;

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({"1, SHARED, ''", "4, USER, packed", "6, USER, two", "7, SHARED, none"})
    void answersAsTheOracleDoes(long seed, String kind, String form) throws SQLException {
        run(seed, kind, form, STEPS);
    }

    @Tag("crash")
    @ParameterizedTest
    @CsvSource({
        "1, SHARED, ''",
        "2, SHARED, ''",
        "3, USER, ''",
        "4, USER, packed",
        "5, SHARED, two",
        "6, USER, two",
        "7, SHARED, none",
        "8, USER, none"
    })
    void longHistoriesAreAnsweredAsTheOracleDoes(long seed, String kind, String form) throws SQLException {
        run(seed, kind, form, STEPS_LONG);
    }

    private void run(long seed, String kind, String form, int steps) throws SQLException {
        try (MemoryStore store = new MemoryStore();
                Connection oracle = DriverManager.getConnection("jdbc:h2:mem:;MODE=PostgreSQL")) {
            new History(seed, kind, form, store, oracle).run(steps);
        }
    }

    private final class History {
        private final long seed;
        private final Random random;
        private final String kind;
        private final String form;
        private final MemoryStore store;
        private final Connection oracle;
        private final List<String> told = new ArrayList<>();
        private TierFixture sql;
        private boolean inside;
        private int added;

        /** The current names of the table and its first column. */
        private String t = "t";

        private String id = "id";

        History(long seed, String kind, String form, MemoryStore store, Connection oracle) {
            this.seed = seed;
            this.kind = kind;
            this.form = form;
            this.store = store;
            this.oracle = oracle;
            random = new Random(seed);
            sql = opened();
        }

        private TierFixture opened() {
            return new TierFixture(store, SqlOptions.in(directory), InstantSource.system());
        }

        void run(int steps) throws SQLException {
            String key = switch (form) {
                case "two" -> ", PRIMARY KEY (b, id)";
                case "none" -> "";
                default -> ", PRIMARY KEY (id)";
            };
            String columns =
                    " (id INT, a INT, b VARCHAR(20) DEFAULT 'd' NOT NULL, c DOUBLE PRECISION DEFAULT 0.5" + key + ")";
            String options = form.equals("packed") ? " WITH (packed = true)" : "";
            both("CREATE " + kind + " TABLE t" + columns + options, "CREATE TABLE t" + columns);
            both("CREATE UNIQUE INDEX t_u ON t (a, b)");
            for (int step = 0; step < steps; step++) {
                step();
                if (step % 7 == 0) {
                    compare();
                }
            }
            if (inside) {
                end("COMMIT");
            }
            sql.run("FLUSH TABLE " + t);
            compare();
            sql.run("COMPACT TABLE " + t);
            compare();
            sql.close();
        }

        private void step() throws SQLException {
            int dice = random.nextInt(100);
            if (dice < 30) {
                both("INSERT INTO " + t + " (" + id + ", a, b) VALUES (" + key() + ", " + number() + ", " + text()
                        + ")");
            } else if (dice < 36) {
                String insert =
                        "INSERT INTO " + t + " (" + id + ", a) VALUES (" + key() + ", " + number() + ") ON CONFLICT ";
                both(insert + "DO NOTHING");
            } else if (dice < 50) {
                both("UPDATE " + t + " SET " + assignment() + " WHERE " + condition());
            } else if (dice < 58) {
                both("DELETE FROM " + t + " WHERE " + condition());
            } else if (dice < 66) {
                transaction();
            } else if (dice < 78 && !inside) {
                tiering("FLUSH TABLE " + t);
            } else if (dice < 82 && !inside) {
                tiering("COMPACT TABLE " + t);
            } else if (dice < 85 && !inside) {
                sql.close();
                sql = opened();
                told.add("-- restart");
            } else if (dice < 88 && !inside) {
                alter();
            } else if (dice < 89 && !inside) {
                both("TRUNCATE TABLE " + t);
            } else {
                compare("SELECT " + id + ", a, b FROM " + t + " WHERE " + condition() + " ORDER BY 1, 3, 2");
            }
        }

        private void tiering(String statement) {
            told.add(statement);
            sql.run(statement);
        }

        private void alter() throws SQLException {
            String table = "ALTER TABLE " + t + " ";
            int which = random.nextInt(7);
            if (which == 0 || added == 0) {
                added++;
                both(table + "ADD COLUMN x" + added + " INT DEFAULT " + random.nextInt(5));
            } else if (which == 1) {
                String name = "x" + added++;
                rename(name, "x" + added);
            } else if (which == 2) {
                both(table + "DROP COLUMN x" + added);
                both(table + "ADD COLUMN x" + added + " VARCHAR(9) DEFAULT 'new'");
            } else if (which == 3) {
                String before = id;
                id = id.equals("id") ? "k" : "id";
                rename(before, id);
            } else if (which == 4) {
                String before = t;
                t = t.equals("t") ? "renamed" : "t";
                both("ALTER TABLE " + before + " RENAME TO " + t);
            } else if (which == 5) {
                both(table + "ALTER COLUMN c SET DEFAULT " + random.nextInt(9));
            } else {
                String how = random.nextBoolean() ? "SET" : "DROP";
                both(table + "ALTER COLUMN c " + how + " NOT NULL");
            }
        }

        private void rename(String from, String to) throws SQLException {
            String table = "ALTER TABLE " + t + " ";
            both(table + "RENAME COLUMN " + from + " TO " + to, table + "ALTER COLUMN " + from + " RENAME TO " + to);
        }

        private String assignment() {
            return switch (random.nextInt(4)) {
                case 0 -> "a = a + 1";
                case 1 -> "c = " + random.nextInt(9);
                case 2 -> "c = c * 2, a = NULL";
                default -> id + " = " + id + " + " + random.nextInt(3);
            };
        }

        private String condition() {
            return switch (random.nextInt(7)) {
                case 0 -> id + " = " + key();
                case 1 -> id + " = " + key() + " AND b = " + text();
                case 2 -> "a > " + number();
                case 3 -> "b = " + text();
                case 4 -> id + " IN (" + key() + ", " + key() + ") AND a IS NOT NULL";
                case 5 -> "b LIKE 't1%' OR " + id + " < " + random.nextInt(5);
                default -> "a = (SELECT max(a) FROM " + t + ") AND length(b) > 1";
            };
        }

        private int key() {
            return random.nextInt(KEYS);
        }

        private String number() {
            return random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(30));
        }

        private String text() {
            return "'t" + random.nextInt(12) + "'";
        }

        private void transaction() throws SQLException {
            if (inside) {
                end(random.nextBoolean() ? "COMMIT" : "ROLLBACK");
            } else {
                oracle.setAutoCommit(false);
                sql.run("BEGIN");
                told.add("BEGIN");
                inside = true;
            }
        }

        private void end(String how) throws SQLException {
            both(how);
            oracle.setAutoCommit(true);
            inside = false;
        }

        private void both(String statement) throws SQLException {
            both(statement, statement);
        }

        private void both(String ours, String theirs) throws SQLException {
            told.add(ours);
            String refusal = refusal(ours);
            String theirRefusal = "";
            try (Statement statement = oracle.createStatement()) {
                statement.execute(theirs);
            } catch (SQLException refused) {
                theirRefusal = String.valueOf(refused.getMessage());
            }
            assertThat(refusal.isEmpty())
                    .as("ours: %s; theirs: %s; %s", refusal, theirRefusal, this)
                    .isEqualTo(theirRefusal.isEmpty());
            if (!refusal.isEmpty() && inside) {
                // A failed statement ends our transaction, as PostgreSQL's; H2 would continue.
                sql.run("ROLLBACK");
                oracle.rollback();
                oracle.setAutoCommit(true);
                inside = false;
                told.add("ROLLBACK");
            }
        }

        private String refusal(String statement) {
            try {
                sql.run(statement);
                return "";
            } catch (SqlError refused) {
                return refused.text();
            }
        }

        private void compare() throws SQLException {
            // Without a primary key two rows may differ in the last columns only.
            String rest = form.equals("none") ? ", a, c" : "";
            compare("SELECT * FROM " + t + " ORDER BY " + id + ", b" + rest);
            compare("SELECT * FROM " + t + " ORDER BY b, " + id + rest);
            compare("SELECT " + id + ", b, max(a) AS m FROM " + t + " GROUP BY " + id + ", b ORDER BY " + id + ", b");
            compare("SELECT count(*), sum(a), min(b) FROM " + t);
        }

        private void compare(String query) throws SQLException {
            List<List<String>> ours = new ArrayList<>();
            try (QueryRows rows = ((Outcome.Rows) sql.session.execute(query)).rows()) {
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
                    ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        row.add(shown(rows.getObject(i)));
                    }
                    theirs.add(row);
                }
            }
            assertThat(ours).as("%s, %s", this, query).isEqualTo(theirs);
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
