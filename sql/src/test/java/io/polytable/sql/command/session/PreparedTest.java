package io.polytable.sql.command.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.query.QueryRows;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedTest {
    @TempDir
    private Path directory = Path.of("");

    private MemoryStore store;
    private SqlFace face;
    private Session session;

    @BeforeEach
    void create() {
        store = new MemoryStore();
        face = SqlFace.open(store, SqlOptions.in(directory));
        session = face.session("root");
        session.execute("CREATE NAMESPACE other");
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)");
        session.execute("INSERT INTO t VALUES (1, 'first')");
    }

    @AfterEach
    void close() {
        session.close();
        face.close();
        store.close();
    }

    private Prepared prepared(String text) {
        return session.prepare(text).get(0);
    }

    @Test
    void aTextIsPreparedOnceForItsSearchPathUserAndCatalog() {
        String text = "SELECT v FROM t WHERE id = ?";
        Prepared first = prepared(text);
        assertThat(prepared(text)).isSameAs(first);
        try (Session user = face.session("alice")) {
            assertThat(user.prepare(text).get(0)).isNotSameAs(first);
        }
        session.use("other");
        assertThat(prepared(text)).isNotSameAs(first);
        session.use("default");
        assertThat(prepared(text)).isSameAs(first);
        session.execute("CREATE TABLE u (id INT PRIMARY KEY)");
        assertThat(prepared(text)).isNotSameAs(first);
    }

    @Test
    void aPlanIsMadeOnceForWhatItsNamesMean() {
        Prepared statement = prepared("SELECT v FROM t");
        AtomicInteger made = new AtomicInteger();
        assertThat(made(statement, made)).isEqualTo(1);
        assertThat(made(statement, made)).isEqualTo(1);
        session.use("other");
        assertThat(made(statement, made)).isEqualTo(2);
        session.execute("CREATE TABLE u (id INT PRIMARY KEY)");
        assertThat(made(statement, made)).isEqualTo(3);
    }

    private int made(Prepared statement, AtomicInteger made) {
        Plan unused = face.engine().planned(statement, session.meaning()).plan(() -> {
            made.incrementAndGet();
            return new Plan.Command(statement.statement());
        });
        return made.get();
    }

    /** A plan may be much larger than its text: of a table with a thousand columns, or of a view. */
    @Test
    void onlySoManyPlansAreKept() {
        PreparedCache cache = new PreparedCache();
        for (int i = 0; i < 2 * PreparedCache.PLANS_MAX; i++) {
            Prepared statement = cache.of("SELECT v FROM t WHERE id = " + i, session.meaning())
                    .get(0);
            Prepared.Planned unused = cache.planned(statement, session.meaning());
        }
        assertThat(cache.plans()).isEqualTo(PreparedCache.PLANS_MAX);
    }

    @Test
    void aStatementOfPrepareFollowsDefinitions() {
        session.execute("PREPARE p AS SELECT * FROM t WHERE id = $1");
        assertThat(last("EXECUTE p(1)")).isEqualTo("first");
        session.execute("ALTER TABLE t ADD COLUMN w TEXT DEFAULT 'added'");
        assertThat(last("EXECUTE p(1)")).isEqualTo("added");
        session.execute("DROP TABLE t");
        session.execute("CREATE TABLE t (v TEXT, id INT PRIMARY KEY)");
        session.execute("INSERT INTO t VALUES ('new', 1)");
        assertThat(last("EXECUTE p(1)")).isEqualTo("1");
    }

    @Test
    void whatAStatementIsGivenIsNotKept() {
        session.execute("CREATE TABLE ids (id BIGINT DEFAULT snowflake_id(), n INT)");
        String insert = "INSERT INTO ids (n) VALUES (?) RETURNING id";
        String first = all(insert, 1);
        assertThat(all(insert, 1)).isNotEqualTo(first);
        assertThat(last("SELECT count(DISTINCT id) FROM ids")).isEqualTo("2");
    }

    private String last(String sql) {
        String all = all(sql);
        return all.substring(all.lastIndexOf(' ') + 1);
    }

    private String all(String sql, Object... parameters) {
        StringBuilder found = new StringBuilder();
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql, parameters)).rows()) {
            while (rows.next()) {
                for (Object value : rows.row()) {
                    found.append(found.isEmpty() ? "" : " ").append(value);
                }
            }
        }
        return found.toString();
    }
}
