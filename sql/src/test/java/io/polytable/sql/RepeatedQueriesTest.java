package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB keeps the statement of a query that runs again. Each run must answer as the first would. */
class RepeatedQueriesTest {
    private static final String JOIN = "SELECT a.name, b.v FROM a JOIN b ON a.id = b.a WHERE b.v >= ? ORDER BY b.id";

    @TempDir
    private Path directory = Path.of("");

    private MemoryStore store;
    private SqlFace face;
    private Session session;

    @BeforeEach
    void open() {
        store = new MemoryStore();
        face = SqlFace.open(store, SqlOptions.in(directory));
        session = face.session("root");
        session.execute("CREATE TABLE a (id BIGINT PRIMARY KEY, name TEXT)");
        session.execute("CREATE TABLE b (id BIGINT PRIMARY KEY, a BIGINT, v INT)");
        session.execute("INSERT INTO a VALUES (1, 'one'), (2, 'two')");
    }

    @AfterEach
    void close() {
        session.close();
        face.close();
        store.close();
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

    @Test
    void eachRunSeesWhatChanged() {
        for (int i = 1; i <= 4; i++) {
            session.execute("INSERT INTO b VALUES (?, ?, ?)", i, 1 + i % 2, i);
            assertThat(all(JOIN, i)).isEqualTo((i % 2 == 0 ? "one " : "two ") + i);
        }
        assertThat(all(JOIN, "3")).isEqualTo("two 3 one 4");
        assertThat(all(JOIN, 9)).isEmpty();
        assertThat(all(JOIN, new Object[] {null})).isEmpty();
    }

    @Test
    void aRunThatWasReadInPartOrFailedLeavesNothing() {
        session.execute("INSERT INTO b SELECT x, 1, x FROM range(1, 20001) r(x)");
        String quotients = "SELECT b.id, 10 / (15000 - b.v) FROM a JOIN b ON a.id = b.a WHERE b.v < ?";
        for (int i = 0; i < 3; i++) {
            try (QueryRows rows = ((Outcome.Rows) session.execute(JOIN, 1)).rows()) {
                assertThat(rows.next()).isTrue();
            }
            assertThatThrownBy(() -> all(quotients, 20000))
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.DIVISION_BY_ZERO));
            assertThat(all(quotients, 3)).isEqualTo("1 0 2 0");
        }
    }

    @Test
    void tablesOfTheSameNamesAreOtherTables() {
        session.execute("INSERT INTO b VALUES (1, 1, 1)");
        String sum = "SELECT max(b.v), count(a.name) FROM a JOIN b ON a.id = b.a";
        assertThat(all(sum)).isEqualTo("1 1");
        assertThat(all(sum)).isEqualTo("1 1");
        session.execute("DROP TABLE b");
        session.execute("CREATE TABLE b (v TEXT, a INT, id BIGINT PRIMARY KEY)");
        session.execute("INSERT INTO b VALUES ('text', 1, 7), ('more', 2, 8)");
        assertThat(all(sum)).isEqualTo("text 2");
    }

    @Test
    void theStatementHoldsNoTable() {
        session.execute("INSERT INTO b VALUES (1, 1, 1)");
        assertThat(all(JOIN, 1)).isEqualTo("one 1");
        assertThat(all(JOIN, 1)).isEqualTo("one 1");
        WeakReference<SqlTable> dropped = new WeakReference<>(face.engine()
                .catalog()
                .state()
                .table(new TableName("default", "b"))
                .orElseThrow());
        session.execute("DROP TABLE b");
        assertThat(all("SELECT name FROM a WHERE id = ?", 2)).isEqualTo("two");
        Await.until("the dropped table is collected", () -> {
            System.gc();
            return dropped.get() == null;
        });
    }
}
