package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.command.session.Session;
import io.polytable.table.Cursor;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Rows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events beyond their time to live: gone for every query at once, and from the store with their index entries. */
class StreamExpiryTest {
    @TempDir
    private Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(MemoryStore.COMMITS_KEPT, clock);

    private static List<String> ask(Session session, String sql) {
        return LogicTest.run(session, new LogicFile.Step(1, "", "query", sql, List.of()))
                .expected();
    }

    private static String run(Session session, String sql) {
        return LogicTest.run(session, new LogicFile.Step(1, "", "statement ok", sql, List.of()))
                .head();
    }

    private long storedRows() {
        return store.tables().stream()
                .map(Table::name)
                .filter(name -> name.namespace().equals("shop"))
                .mapToLong(
                        name -> Rows.all(store, store.find(name).orElseThrow()).size())
                .sum();
    }

    private boolean hasExpired() {
        try (Cursor expired =
                store.expired(store.find(new TableName("shop", "visit")).orElseThrow(), 1)) {
            return expired.next();
        }
    }

    @Test
    void eventsWithoutAnIndexAreRemovedToo() {
        try (SqlFace face = SqlFace.open(store, SqlOptions.in(directory), List::of, clock)) {
            Session session = face.session("root");
            run(session, "CREATE NAMESPACE shop");
            run(session, "CREATE STREAM TABLE shop.visit (page TEXT) WITH (ttl_seconds = 10)");
            run(session, "INSERT INTO shop.visit VALUES ('home'), ('cart')");
            clock.advance(Duration.ofSeconds(10));
            run(session, "INSERT INTO shop.visit VALUES ('pay')");
            Await.until("the expired events are removed", () -> !hasExpired());
            assertThat(ask(session, "SELECT page FROM shop.visit")).containsExactly("pay");
        }
    }

    @Test
    void eventsExpireWithTheirIndexEntries() {
        try (SqlFace face = SqlFace.open(store, SqlOptions.in(directory), List::of, clock)) {
            Session session = face.session("root");
            assertThat(run(session, "CREATE NAMESPACE shop")).isEqualTo("statement ok");
            assertThat(run(
                            session,
                            "CREATE STREAM TABLE shop.visit (id TEXT PRIMARY KEY, page TEXT) WITH (ttl_seconds = 10)"))
                    .isEqualTo("statement ok");
            run(session, "INSERT INTO shop.visit VALUES ('a', 'home'), ('b', 'cart')");
            clock.advance(Duration.ofSeconds(9));
            run(session, "INSERT INTO shop.visit VALUES ('c', 'pay')");
            assertThat(ask(session, "SELECT id FROM shop.visit ORDER BY id")).containsExactly("a", "b", "c");
            clock.advance(Duration.ofSeconds(1));
            assertThat(ask(session, "SELECT id FROM shop.visit ORDER BY id")).containsExactly("c");
            assertThat(ask(session, "SELECT page FROM shop.visit WHERE id = 'a'"))
                    .isEmpty();
            assertThat(run(session, "INSERT INTO shop.visit VALUES ('a', 'again')"))
                    .as("the key is free")
                    .isEqualTo("statement ok");
            Await.until("two events and an entry for each are left", () -> storedRows() == 4);
            assertThat(hasExpired()).isFalse();
            assertThat(ask(session, "SELECT page FROM shop.visit WHERE id = 'a'"))
                    .containsExactly("again");
        }
    }

    @Test
    void anotherTimeToLiveHoldsForAllEvents() {
        try (SqlFace face = SqlFace.open(store, SqlOptions.in(directory), List::of, clock)) {
            Session session = face.session("root");
            run(session, "CREATE NAMESPACE shop");
            run(session, "CREATE STREAM TABLE shop.visit (id TEXT PRIMARY KEY, page TEXT) WITH (ttl_seconds = 10)");
            run(session, "INSERT INTO shop.visit VALUES ('a', 'home')");
            clock.advance(Duration.ofSeconds(5));
            assertThat(run(session, "ALTER TABLE shop.visit SET (ttl_seconds = 100)"))
                    .isEqualTo("statement ok");
            clock.advance(Duration.ofSeconds(50));
            assertThat(ask(session, "SELECT page FROM shop.visit WHERE id = 'a'"))
                    .containsExactly("home");
            assertThat(run(session, "ALTER TABLE shop.visit SET (ttl_seconds = 20)"))
                    .isEqualTo("statement ok");
            assertThat(ask(session, "SELECT count(*) FROM shop.visit")).containsExactly("0");
        }
    }
}
