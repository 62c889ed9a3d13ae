package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users, grants, and what they allow; every refusal is 42501 with PostgreSQL's text. */
class UserStatementsTest {
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
        for (String statement : List.of(
                "CREATE USER ann PASSWORD 'pw'",
                "CREATE USER bob",
                "CREATE USER svc ROLE service",
                "CREATE USER dee ROLE dba",
                "CREATE NAMESPACE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY, total INT)",
                "CREATE TABLE shop.secret (id INT PRIMARY KEY, total INT)",
                "CREATE USER TABLE shop.notes (id INT PRIMARY KEY, note TEXT)",
                "CREATE VIEW shop.totals AS SELECT sum(total) AS sum FROM shop.secret",
                "INSERT INTO shop.orders VALUES (1, 10)",
                "INSERT INTO shop.secret VALUES (1, 10)")) {
            run("root", statement);
        }
    }

    @AfterEach
    void close() {
        face.close();
    }

    private List<String> run(String user, String statement) {
        try (Session session = face.session(user)) {
            return run(session, statement);
        }
    }

    private static List<String> run(Session session, String statement) {
        List<String> rows = new ArrayList<>();
        if (session.execute(statement) instanceof Outcome.Rows result) {
            try (QueryRows open = result.rows()) {
                while (open.next()) {
                    rows.add(Arrays.toString(open.row()));
                }
            }
        }
        return rows;
    }

    private SqlError refused(String user, String statement) {
        return catchThrowableOfType(SqlError.class, () -> run(user, statement));
    }

    private void denied(String user, String statement, String text) {
        SqlError error = refused(user, statement);
        assertThat(error).as(statement).isNotNull();
        assertThat(error.code()).as(statement).isEqualTo(SqlCode.NOT_ALLOWED);
        assertThat(error.text()).as(statement).isEqualTo(text);
    }

    @Test
    void aUserMayDoWhatIsGranted() {
        denied("ann", "SELECT * FROM shop.orders WHERE id = 1", "permission denied for table orders");
        denied(
                "ann",
                "SELECT count(*) FROM shop.orders o JOIN shop.orders p USING (id)",
                "permission denied for table orders");
        run("root", "GRANT SELECT ON shop.orders TO ann");
        assertThat(run("ann", "SELECT total FROM shop.orders WHERE id = 1")).containsExactly("[10]");
        for (String write : List.of(
                "INSERT INTO shop.orders VALUES (2, 1)",
                "UPDATE shop.orders SET total = 1",
                "DELETE FROM shop.orders")) {
            denied("ann", write, "permission denied for table orders");
        }
        run("root", "GRANT INSERT ON shop.orders TO bob");
        run("bob", "INSERT INTO shop.orders VALUES (2, 20)");
        denied("bob", "INSERT INTO shop.orders VALUES (3, 20) RETURNING total", "permission denied for table orders");
        denied(
                "bob",
                "INSERT INTO shop.orders VALUES (2, 20) ON CONFLICT (id) DO UPDATE SET total = 0",
                "permission denied for table orders");
    }

    @Test
    void aRevocationReachesOpenSessionsAndPlansAtOnce() {
        run("root", "GRANT ALL ON shop.orders TO ann");
        try (Session ann = face.session("ann")) {
            String query = "SELECT sum(total) + 1 AS s FROM shop.orders";
            run(ann, "PREPARE p AS " + query);
            assertThat(run(ann, query)).containsExactly("[11]");
            assertThat(run(ann, "EXECUTE p")).containsExactly("[11]");
            run("root", "REVOKE SELECT ON shop.orders FROM ann");
            for (String again : List.of(query, "EXECUTE p", "EXPLAIN " + query)) {
                assertThat(catchThrowableOfType(SqlError.class, () -> run(ann, again))
                                .code())
                        .as(again)
                        .isEqualTo(SqlCode.NOT_ALLOWED);
            }
        }
    }

    @Test
    void aViewIsReadWithoutItsTables() {
        denied("ann", "SELECT * FROM shop.totals", "permission denied for view totals");
        run("root", "GRANT SELECT ON shop.totals TO ann");
        assertThat(run("ann", "SELECT * FROM shop.totals")).containsExactly("[10]");
        denied("ann", "SELECT * FROM shop.secret", "permission denied for table secret");
        denied("ann", "SELECT * FROM shop.totals, shop.secret", "permission denied for table secret");
    }

    @Test
    void aNamespaceIncludesLaterTables() {
        run("root", "GRANT SELECT ON ALL TABLES IN SCHEMA shop TO bob");
        run("root", "GRANT SELECT ON NAMESPACE shop TO ann");
        run("root", "CREATE TABLE shop.later (id INT PRIMARY KEY)");
        assertThat(run("ann", "SELECT * FROM shop.later")).isEmpty();
        denied("bob", "SELECT * FROM shop.later", "permission denied for table later");
        assertThat(run("bob", "SELECT id FROM shop.secret")).containsExactly("[1]");
    }

    @Test
    void catalogsShowWhatAUserMayUse() {
        run("root", "GRANT SELECT ON shop.orders TO ann");
        String tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop' ORDER BY 1";
        assertThat(run("ann", tables)).containsExactly("[notes]", "[orders]");
        assertThat(run("dee", tables)).hasSize(4);
        assertThat(run("ann", "SELECT DISTINCT table_name FROM system.columns WHERE namespace = 'shop' ORDER BY 1"))
                .containsExactly("[notes]", "[orders]");
        denied("ann", "DESCRIBE shop.secret", "permission denied for table secret");
        for (String table : List.of("users", "grants", "jobs", "storages", "sessions", "slow_queries", "settings")) {
            denied("ann", "SELECT * FROM system." + table, "permission denied for table " + table);
        }
    }

    @Test
    void rowsOfAUserTableNeedNoGrant() {
        run("ann", "INSERT INTO shop.notes VALUES (1, 'of ann')");
        assertThat(run("bob", "SELECT * FROM shop.notes")).isEmpty();
        assertThat(run("ann", "SELECT note FROM shop.notes")).containsExactly("[of ann]");
    }

    @Test
    void onlyServicesAndAdministratorsActAsOthersThatExist() {
        denied("ann", "EXECUTE AS USER 'bob' (SELECT 1)", "permission denied to execute as another user");
        denied("svc", "EXECUTE AS USER 'dee' (SELECT 1)", "permission denied to execute as role \"dee\"");
        assertThat(run("svc", "EXECUTE AS USER 'ann' (SELECT current_user)")).containsExactly("[ann]");
        assertThat(refused("root", "EXECUTE AS USER 'nobody' (SELECT 1)").code())
                .isEqualTo(SqlCode.UNDEFINED_OBJECT);
        denied("root", "EXECUTE AS USER 'ann' (SELECT * FROM shop.secret)", "permission denied for table secret");
    }

    @Test
    void nobodyTakesOverAUserOrTheTrustInThisMachine() {
        denied("svc", "EXECUTE AS USER 'ann' (ALTER USER ann PASSWORD 'x')", "permission denied to alter role");
        denied("ann", "ALTER USER ann PASSWORD NULL", "permission denied to alter role");
        denied("dee", "ALTER USER ann PASSWORD NULL", "permission denied: no user would have a password");
        denied("dee", "DROP USER ann", "permission denied: no user would have a password");
        run("bob", "ALTER USER bob PASSWORD 'pw'");
        run("dee", "DROP USER ann");
        run("root", "ALTER USER bob PASSWORD NULL");
        assertThat(users.hasPasswords()).isFalse();
    }

    @Test
    void usersManageOnlyThemselves() {
        for (String statement : List.of(
                "CREATE USER eve",
                "DROP USER bob",
                "ALTER USER bob PASSWORD 'x'",
                "ALTER USER ann ROLE dba",
                "GRANT SELECT ON shop.orders TO ann",
                "CREATE TABLE shop.mine (id INT PRIMARY KEY)",
                "DROP TABLE shop.orders",
                "FLUSH ALL",
                "KILL QUERY '1'")) {
            assertThat(refused("ann", statement).code()).as(statement).isEqualTo(SqlCode.NOT_ALLOWED);
        }
        run("ann", "ALTER USER ann PASSWORD 'other'");
        assertThat(users.find("ann").orElseThrow().accepts("other".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(refused("dee", "CREATE USER sys ROLE system").code()).isEqualTo(SqlCode.NOT_ALLOWED);
        assertThat(refused("dee", "ALTER USER root PASSWORD 'x'").code()).isEqualTo(SqlCode.NOT_ALLOWED);
    }

    @Test
    void aUserThatIsRemovedMayDoNothing() {
        run("root", "GRANT SELECT ON shop.orders TO ann");
        try (Session ann = face.session("ann")) {
            assertThat(run(ann, "SELECT id FROM shop.orders")).hasSize(1);
            run("root", "DROP USER ann");
            assertThat(catchThrowableOfType(SqlError.class, () -> run(ann, "SELECT id FROM shop.orders"))
                            .code())
                    .isEqualTo(SqlCode.NOT_ALLOWED);
            assertThat(catchThrowableOfType(SqlError.class, () -> run(ann, "SELECT id FROM shop.notes"))
                            .code())
                    .isEqualTo(SqlCode.NOT_ALLOWED);
        }
        run("root", "CREATE USER ann");
        denied("ann", "SELECT id FROM shop.orders", "permission denied for table orders");
    }

    @Test
    void grantsEndWithTheirTable() {
        run("root", "GRANT SELECT ON shop.orders TO ann");
        assertThat(run("root", "SHOW GRANTS FOR ann")).containsExactly("[ann, shop, orders, SELECT, root]");
        run("root", "DROP TABLE shop.orders");
        run("root", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        denied("ann", "SELECT id FROM shop.orders", "permission denied for table orders");
        assertThat(run("ann", "SHOW GRANTS")).isEmpty();
    }

    @Test
    void passwordsAreInNoListing() {
        try (Session root = face.session("root")) {
            run(root, "ALTER USER bob PASSWORD 'hidden word'");
            assertThat(root.activity()).doesNotContain("hidden");
            run(root, "PREPARE p AS ALTER USER bob PASSWORD 'hidden word'");
            assertThat(root.activity()).doesNotContain("hidden");
        }
        assertThat(run("root", "SELECT * FROM system.users").toString())
                .contains("bob")
                .doesNotContain("hidden", "scram");
    }
}
