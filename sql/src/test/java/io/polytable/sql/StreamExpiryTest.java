package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Session;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Rows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private void removeExpired() {
        int last;
        do {
            last = store.removeExpired(1);
        } while (last > 0);
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
            removeExpired();
            assertThat(storedRows()).as("two events and an entry for each").isEqualTo(4);
            assertThat(ask(session, "SELECT page FROM shop.visit WHERE id = 'a'"))
                    .containsExactly("again");
        }
    }

    /** Stopped between the events and their index entries, as by a kill. */
    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void anInterruptedChangeOfTheTimeToLiveHidesNoEventFromItsIndex(int seconds) {
        HookedStore hooked = new HookedStore(store);
        try (SqlFace face = SqlFace.open(hooked, SqlOptions.in(directory), List::of, clock)) {
            Session session = face.session("root");
            run(session, "CREATE NAMESPACE shop");
            run(session, "CREATE STREAM TABLE shop.visit (id TEXT PRIMARY KEY, page TEXT) WITH (ttl_seconds = 100)");
            run(session, "INSERT INTO shop.visit VALUES ('a', 'home')");
            hooked.beforeSetTtl(2, () -> {
                throw new StoreException(StoreError.IO, "The disk is full, by the test's will");
            });
            assertThatThrownBy(() -> session.execute("ALTER TABLE shop.visit SET (ttl_seconds = " + seconds + ")"))
                    .isInstanceOf(StoreException.class);
            assertThat(ask(session, "DESCRIBE shop.visit HISTORY"))
                    .as("the definition tells what the events were told")
                    .last()
                    .asString()
                    .contains(seconds == 50 ? "50" : "100");
            for (int passed = 0; passed <= 240; passed += 40) {
                assertThat(ask(session, "SELECT page FROM shop.visit WHERE id = 'a'"))
                        .as("by the index, after %d seconds", passed)
                        .isEqualTo(ask(session, "SELECT max(page) FROM shop.visit HAVING count(*) > 0"));
                clock.advance(Duration.ofSeconds(40));
            }
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
