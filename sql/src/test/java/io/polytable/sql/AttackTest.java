package io.polytable.sql;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.Session;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The attacks of {@code attacks.txt} on the isolation of users; the head of that file says how to add one. */
class AttackTest {
    private static final List<String> SETUP = List.of(
            "CREATE USER ann PASSWORD 'pw'",
            "CREATE USER bob",
            "CREATE USER svc ROLE service",
            "CREATE USER dee ROLE dba",
            "CREATE NAMESPACE shop",
            "CREATE TABLE shop.orders (id INT PRIMARY KEY, total INT)",
            "CREATE TABLE shop.secret (id INT PRIMARY KEY, word TEXT, n INT)",
            "CREATE TABLE shop.cold (id INT PRIMARY KEY, word TEXT, n INT)",
            "CREATE TABLE shop.box (id INT PRIMARY KEY, word TEXT)",
            "CREATE TABLE shop.pairs (id INT PRIMARY KEY, a INT NOT NULL CHECK (a > 0), b INT, UNIQUE (a, b))",
            "CREATE TABLE shop.mixed (id INT PRIMARY KEY, word TEXT, open BOOLEAN)",
            "INSERT INTO shop.mixed VALUES (5, '5', true), (6, 'h1dden mixed', false)",
            "CREATE USER TABLE shop.notes (id INT PRIMARY KEY, note TEXT)",
            "CREATE VIEW shop.totals AS SELECT count(*) AS sum FROM shop.secret",
            "CREATE VIEW shop.chosen AS SELECT id, word FROM shop.mixed WHERE open",
            "CREATE VIEW shop.mine AS SELECT * FROM shop.notes",
            "CREATE VIEW shop.peek AS SELECT * FROM shop.secret",
            "CREATE VIEW shop.through AS SELECT * FROM shop.peek",
            "INSERT INTO shop.orders VALUES (1, 10), (2, 20)",
            "INSERT INTO shop.secret VALUES (1, 'h1dden word', 424242), (2, 'h1dden too', 4242424)",
            "INSERT INTO shop.cold SELECT * FROM shop.secret",
            "INSERT INTO shop.box VALUES (1, 'h1dden box')",
            "INSERT INTO shop.pairs VALUES (1, 1, 424242), (2, 2, 424242)",
            "FLUSH TABLE shop.cold",
            "GRANT SELECT, INSERT, UPDATE ON shop.orders TO ann",
            "GRANT INSERT ON shop.box TO ann",
            "GRANT INSERT, UPDATE, DELETE ON shop.pairs TO ann",
            "GRANT SELECT ON shop.totals TO ann",
            "GRANT SELECT ON shop.chosen TO ann",
            "GRANT SELECT ON shop.mine TO ann");

    private final MemoryStore store = new MemoryStore();
    private final Sessions sessions = new Sessions();

    @Test
    void nobodyLearnsWhatItMayNotRead(@TempDir Path directory) throws IOException {
        Users users = Users.open(store, sessions, InstantSource.system());
        try (SqlFace face = SqlFace.open(
                store,
                SqlOptions.in(directory),
                SqlMemory.standard(),
                List::of,
                InstantSource.system(),
                sessions,
                users)) {
            try (Session root = face.session("root")) {
                SETUP.forEach(root::execute);
            }
            try (Session ann = face.session("ann");
                    Session bob = face.session("bob")) {
                ann.execute("INSERT INTO shop.notes VALUES (1, 'of ann')");
                bob.execute("INSERT INTO shop.notes VALUES (2, 'h1dden note')");
            }
            SoftAssertions all = new SoftAssertions();
            for (UserScript.Line attack : UserScript.lines("attacks.txt")) {
                String answer = UserScript.answer(face, attack);
                all.assertThat(UserScript.isAsExpected(attack, answer))
                        .as("%s => %s, but was %s", attack, attack.expected(), answer)
                        .isTrue();
                all.assertThat(answer).as("%s", attack).doesNotContain("h1dden", "424242");
            }
            all.assertAll();
        }
    }
}
