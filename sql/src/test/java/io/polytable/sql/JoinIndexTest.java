package io.polytable.sql;

import static io.polytable.sql.ConflictTest.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Session;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins read the other table by its key or an index, and answer what they would without. */
class JoinIndexTest {
    private static final int QUERIES = 80;
    private static final int QUERIES_LONG = 2000;

    @TempDir
    private static Path directory = Path.of("");

    private static final MemoryStore STORE = new MemoryStore();
    private static SqlFace face;
    private static Session session;

    /** Once: the tests only read these tables. */
    @BeforeAll
    static void open() {
        face = SqlFace.open(STORE, SqlOptions.in(directory));
        session = face.session("root");
        // Two copies of the same rows: those in "plain" have neither keys nor indexes that a join could use.
        List.of("plain", "fast").forEach(space -> {
            session.execute("CREATE NAMESPACE " + space);
            boolean fast = space.equals("fast");
            String key = fast ? " PRIMARY KEY" : "";
            session.execute("CREATE TABLE " + space + ".customer (id INT" + key + ", city TEXT, n BIGINT)");
            session.execute("CREATE TABLE " + space + ".orders (id INT" + key + ", customer INT, item BIGINT)");
            session.execute("CREATE TABLE " + space + ".item (id BIGINT" + key + ", name TEXT)");
            session.execute("INSERT INTO " + space
                    + ".customer SELECT x, 'city' || (x % 7), x % 5 FROM generate_series(1, 60) g(x)");
            session.execute("INSERT INTO " + space + ".orders SELECT x, CASE WHEN x % 9 > 0 THEN x * 7 % 70 END,"
                    + " x % 25 FROM generate_series(1, 300) g(x)");
            session.execute("INSERT INTO " + space + ".item SELECT x, 'item' || x FROM generate_series(1, 20) g(x)");
        });
        session.execute("CREATE INDEX orders_customer ON fast.orders (customer)");
        session.execute("CREATE INDEX customer_city ON fast.customer (city)");
    }

    @AfterAll
    static void close() {
        session.close();
        face.close();
        STORE.close();
    }

    private static String plan(String sql) {
        return rows(session, "EXPLAIN " + sql);
    }

    @Test
    void theOptionalSideIsReadByIndexAndTheNextTableByKey() {
        String sql = "SELECT c.id, o.id, i.name FROM fast.customer c LEFT JOIN fast.orders o ON o.customer = c.id"
                + " LEFT JOIN fast.item i ON i.id = o.item WHERE c.id = 14 ORDER BY 1, 2, 3";
        assertThat(plan(sql))
                .contains("fast.customer: one row by primary key (id)")
                .contains("fast.orders: 1 range of index orders_customer, by customer of the join with fast.customer")
                .containsPattern("fast.item: \\d+ ranges of the primary key .*by id of the join with fast.orders");
        assertThat(rows(session, sql)).isNotEmpty().isEqualTo(rows(session, sql.replace("fast.", "plain.")));
    }

    @Test
    void aSideThatKeepsItsRowsIsReadWhole() {
        assertThat(plan("SELECT count(*) FROM fast.orders o LEFT JOIN fast.customer c ON o.customer = c.id"
                        + " WHERE c.city = 'city1'"))
                .as("WHERE narrows the optional side; the other one follows only an inner join")
                .contains("fast.orders: all rows");
        assertThat(plan("SELECT count(*) FROM fast.customer c FULL JOIN fast.orders o ON o.customer = c.id"
                        + " WHERE c.id = 3"))
                .contains("fast.orders: all rows");
        assertThat(plan("SELECT count(*) FROM fast.customer c, fast.orders o WHERE o.customer = c.id AND c.id < 4"))
                .contains("fast.orders: 3 ranges of index orders_customer");
    }

    @Test
    void tooManyValuesLeadToAScan() {
        session.execute("CREATE TABLE wide (id INT PRIMARY KEY, customer INT)");
        session.execute("INSERT INTO wide SELECT x, x FROM generate_series(1, 3000) g(x)");
        String sql = "SELECT count(*) FROM wide w JOIN fast.customer c ON c.id = w.customer WHERE w.id > 5";
        assertThat(plan(sql)).contains("fast.customer: all rows");
        assertThat(rows(session, sql)).isEqualTo("55");
    }

    @Test
    void rowsOfTheOwnTransactionAreFound() {
        session.execute("BEGIN");
        session.execute("INSERT INTO fast.orders VALUES (1000, 60, 1)");
        session.execute("UPDATE fast.orders SET customer = 60 WHERE id = 1");
        String sql = "SELECT o.id FROM fast.customer c JOIN fast.orders o ON o.customer = c.id WHERE c.id = 60"
                + " AND o.id IN (1, 1000) ORDER BY 1";
        assertThat(rows(session, sql)).isEqualTo("1 1000");
        session.execute("ROLLBACK");
    }

    /** ASOF joins pair a row with the nearest one: leaving rows out beforehand would change which that is. */
    @Test
    void aNearestRowIsSoughtAmongAll() {
        session.execute("CREATE TABLE price (at INT PRIMARY KEY, cents INT)");
        session.execute("INSERT INTO price VALUES (1, 10), (5, 50)");
        session.execute("CREATE TABLE sale (at INT PRIMARY KEY)");
        session.execute("INSERT INTO sale VALUES (3), (7)");
        assertThat(rows(session, "SELECT s.at, p.cents FROM sale s ASOF JOIN price p ON s.at >= p.at WHERE p.at < 5"))
                .isEqualTo("3|10");
    }

    /** Joins of every kind, with conditions on any side, answer the same with and without indexes. */
    @Test
    void randomJoinsAnswerTheSameWithAndWithoutIndexes() {
        compareJoins(20261117, QUERIES);
    }

    @Tag("crash")
    @Test
    void manyRandomJoinsAnswerTheSameWithAndWithoutIndexes() {
        compareJoins(20261118, QUERIES_LONG);
    }

    private static void compareJoins(long seed, int queries) {
        Random random = new Random(seed);
        List<String> joins = List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
        List<String> conditions = List.of(
                "c.id = 14",
                "c.id IN (7, 14, 21)",
                "c.city = 'city3'",
                "o.id < 20",
                "o.customer = 28",
                "i.id = 3",
                "c.id BETWEEN 5 AND 9 AND o.item > 3",
                "o.customer = c.id AND c.id = 35",
                "i.name = 'item4'",
                "c.n = o.item");
        for (int i = 0; i < queries; i++) {
            String sql = "SELECT c.id, o.id, i.id FROM fast.customer c "
                    + pick(joins, random) + " fast.orders o ON "
                    + pick(List.of("o.customer = c.id", "c.id = o.customer AND o.id > 9"), random) + " "
                    + pick(joins, random) + " fast.item i ON i.id = " + pick(List.of("o.item", "c.n"), random)
                    + " WHERE " + pick(conditions, random)
                    + (random.nextBoolean() ? "" : " AND " + pick(conditions, random)) + " ORDER BY 1, 2, 3";
            assertThat(rows(session, sql))
                    .as("seed %d, %s", seed, sql)
                    .isEqualTo(rows(session, sql.replace("fast.", "plain.")));
        }
    }

    private static String pick(List<String> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }
}
