package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Capability;
import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.Position;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteSet;
import io.polytable.table.testkit.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows with deadlines. */
interface DeadlineContract extends StoreUnderTest {
    /** A table with row deadlines and this default time to live. */
    default Table expiring(Optional<Duration> ttl) {
        TableSpec plain = Rows.spec(ttl.isPresent() ? "living" : "expiring");
        return store().create(new TableSpec(
                plain.name(),
                plain.kind(),
                plain.columns(),
                plain.partitionKey(),
                plain.sortKey(),
                plain.options().withRowDeadlines(ttl)));
    }

    default Table expiring() {
        return expiring(Optional.empty());
    }

    private void putUntil(String key, String value, long millisFromNow) {
        commit(new Batch().putUntil(expiring(), key(key), value(value), clock().millis() + millisFromNow));
    }

    /** The visible rows of the table; asserts that every kind of read agrees. */
    private static List<String> shown(Reader reader, Table table, List<String> keys) {
        List<String> all = Rows.all(reader, table);
        List<String> backwards = new ArrayList<>(Rows.in(reader, table, KeyRange.ALL, Direction.REVERSE, 1000));
        Collections.reverse(backwards);
        assertThat(backwards).isEqualTo(all);
        List<RowKey> rowKeys = keys.stream().map(Rows::key).toList();
        List<String> read = new ArrayList<>();
        List<Optional<Bytes>> many = reader.readMany(table, rowKeys);
        for (int i = 0; i < keys.size(); i++) {
            Optional<Bytes> value = reader.read(table, rowKeys.get(i));
            assertThat(many.get(i)).isEqualTo(value);
            String key = keys.get(i);
            value.ifPresent(bytes -> read.add(key + "=" + bytes.utf8()));
        }
        assertThat(read).isEqualTo(all);
        return all;
    }

    private List<String> shown(String... keys) {
        return shown(store(), expiring(), List.of(keys));
    }

    /** Runs the store's removal until nothing is left to do. */
    default void removeAllExpired() {
        for (int i = 0; store().removeExpired(100) > 0; i++) {
            assertThat(i).as("rounds").isLessThan(1000);
        }
    }

    @Test
    default void aRowIsShownUntilItsDeadline() {
        putUntil("a/1", "x", 100);
        putUntil("a/2", "y", 200);
        commit(new Batch().put(expiring(), key("a/3"), value("z")));
        betweenSteps();
        clock().advanceMillis(99);
        assertThat(shown("a/1", "a/2", "a/3")).containsExactly("a/1=x", "a/2=y", "a/3=z");
        assertThat(Rows.in(store(), expiring(), Rows.partition("a/"), Direction.FORWARD, 1))
                .containsExactly("a/1=x");
        clock().advanceMillis(1);
        assertThat(shown("a/1", "a/2", "a/3")).containsExactly("a/2=y", "a/3=z");
        assertThat(Rows.in(store(), expiring(), Rows.partition("a/"), Direction.FORWARD, 1))
                .containsExactly("a/2=y");
        betweenSteps();
        clock().advance(Duration.ofDays(100_000));
        assertThat(shown("a/1", "a/2", "a/3")).containsExactly("a/3=z");
    }

    @Test
    default void aTimeToLiveCountsFromTheCommit() {
        Table living = expiring(Optional.of(Duration.ofSeconds(10)));
        Batch batch = new Batch().put(living, key("a/1"), value("x"));
        clock().advance(Duration.ofSeconds(60));
        commit(batch);
        assertThat(batch.size()).isOne();
        commit(new Batch().putUntil(living, key("a/2"), value("forever"), Long.MAX_VALUE));
        clock().advanceMillis(9_999);
        betweenSteps();
        living = expiring(Optional.of(Duration.ofSeconds(10)));
        assertThat(Rows.all(store(), living)).containsExactly("a/1=x", "a/2=forever");
        commit(new Batch().put(living, key("a/3"), value("y")));
        clock().advanceMillis(1);
        assertThat(Rows.all(store(), living)).containsExactly("a/2=forever", "a/3=y");
        clock().advance(Duration.ofSeconds(10));
        removeAllExpired();
        assertThat(Rows.all(store(), living)).containsExactly("a/2=forever");
    }

    @Test
    default void anotherTimeToLiveIsForRowsThatAreWrittenThen() {
        Table living = expiring(Optional.of(Duration.ofSeconds(10)));
        commit(new Batch().put(living, key("a/1"), value("x")));
        store().setTtl(living.name(), Optional.of(Duration.ofSeconds(1)));
        betweenSteps();
        Table shorter = store().find(living.name()).orElseThrow();
        commit(new Batch().put(shorter, key("a/2"), value("y")));
        clock().advanceMillis(1000);
        assertThat(Rows.all(store(), shorter)).containsExactly("a/1=x");
        StoreUnderTest.assertFails(
                StoreError.BAD_SPEC, () -> store().setTtl(table().name(), Optional.of(Duration.ofSeconds(1))));
        StoreUnderTest.assertFails(
                StoreError.NO_SUCH_TABLE, () -> store().setTtl(Rows.spec("none").name(), Optional.empty()));
    }

    @Test
    default void theLastWriteOfARowDecides() {
        putUntil("a/1", "x", 100);
        putUntil("a/2", "x", 100);
        putUntil("a/3", "x", 1000);
        putUntil("a/4", "x", 100);
        putUntil("a/5", "x", 100);
        betweenSteps();
        putUntil("a/1", "longer", 1000);
        commit(new Batch().put(expiring(), key("a/2"), value("forever")));
        putUntil("a/3", "shorter", 100);
        commit(new Batch().delete(expiring(), key("a/4")));
        putUntil("a/5", "at once", -1);
        assertThat(shown("a/1", "a/2", "a/3", "a/4", "a/5"))
                .containsExactly("a/1=longer", "a/2=forever", "a/3=shorter");
        clock().advanceMillis(200);
        removeAllExpired();
        betweenSteps();
        assertThat(shown("a/1", "a/2", "a/3", "a/4", "a/5")).containsExactly("a/1=longer", "a/2=forever");
        putUntil("a/4", "again", 10);
        clock().advanceMillis(1000);
        removeAllExpired();
        assertThat(shown("a/1", "a/2", "a/3", "a/4", "a/5")).containsExactly("a/2=forever");
    }

    @Test
    default void cursorsAndSnapshotsKeepWhatTheyShowed() {
        assume(Capability.SNAPSHOT);
        putUntil("a/1", "x", 100);
        putUntil("a/2", "y", 100);
        try (Snapshot before = store().snapshot();
                Cursor cursor = store().scan(expiring(), Rows.partition("a/"))) {
            assertThat(cursor.next()).isTrue();
            clock().advanceMillis(100);
            removeAllExpired();
            assertThat(Rows.rest(cursor)).containsExactly("a/2=y");
            assertThat(shown(before, expiring(), List.of("a/1", "a/2"))).containsExactly("a/1=x", "a/2=y");
            try (Snapshot after = store().snapshot()) {
                assertThat(shown(after, expiring(), List.of("a/1", "a/2"))).isEmpty();
            }
        }
    }

    @Test
    default void cursorsSeekOverRowsThatAreOver() {
        for (int i = 0; i < 10; i++) {
            putUntil("a/" + i, "v", i % 2 == 0 ? 100 : 1000);
        }
        clock().advanceMillis(100);
        try (Cursor cursor = store().scan(expiring(), KeyRange.ALL)) {
            assertThat(cursor.seek(Bytes.utf8("a/4"))).isTrue();
            assertThat(cursor.key().utf8()).isEqualTo("a/5");
            assertThat(cursor.keySlice().toBytes().utf8()).isEqualTo("a/5");
            assertThat(cursor.valueSlice().toBytes()).isEqualTo(value("v"));
            assertThat(Rows.rest(cursor)).containsExactly("a/7=v", "a/9=v");
        }
    }

    @Test
    default void aWriteSetReadsWhatItWrote() {
        putUntil("a/1", "x", 100);
        putUntil("a/2", "x", 1000);
        WriteSet writes = new WriteSet(store());
        writes.putUntil(expiring(), key("a/2"), value("over"), clock().millis());
        writes.putUntil(expiring(), key("a/3"), value("soon"), clock().millis() + 100);
        writes.put(expiring(), key("a/4"), value("never"));
        List<String> keys = List.of("a/1", "a/2", "a/3", "a/4");
        assertThat(shown(writes, expiring(), keys)).containsExactly("a/1=x", "a/3=soon", "a/4=never");
        clock().advanceMillis(100);
        assertThat(shown(writes, expiring(), keys)).containsExactly("a/4=never");
        StoreUnderTest.await(writes.commit());
        assertThat(shown(store(), expiring(), keys)).containsExactly("a/4=never");
    }

    private List<String> feedAfter(Position from, Table table, int wanted) {
        List<String> seen = new ArrayList<>();
        try (ChangeFeed feed = store().changes(Set.of(table), from)) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (seen.size() < wanted && System.nanoTime() < deadline) {
                store().flush();
                for (Change change : feed.poll(1000, Duration.ofMillis(50))) {
                    seen.add(
                            change.kind() == Change.Kind.PUT
                                    ? Rows.show(change.key(), change.value().orElseThrow())
                                    : "-" + change.key().utf8());
                }
            }
        }
        return seen;
    }

    @Test
    default void rowsAreRemovedInTheOrderOfTheirDeadlines() {
        assume(Capability.CHANGE_FEED);
        Table table = expiring();
        Position from = store().position();
        List<Integer> order = new ArrayList<>(IntStream.range(0, 50).boxed().toList());
        Collections.shuffle(order, new Random(7));
        for (int i : order) {
            putUntil("a/%02d".formatted(i), "v", 100_000 - 10L * i);
        }
        clock().advance(Duration.ofSeconds(99));
        removeAllExpired();
        assertThat(feedAfter(from, table, 50)).as("nothing is removed early").allMatch(change -> change.endsWith("=v"));
        clock().advance(Duration.ofSeconds(10));
        removeAllExpired();
        List<String> removed = feedAfter(from, table, 100).subList(50, 100);
        assertThat(removed)
                .containsExactlyElementsOf(IntStream.range(0, 50)
                        .mapToObj(i -> "-a/%02d".formatted(49 - i))
                        .toList());
    }

    @Test
    default void feedsWithOldValuesTellWhatWasRemoved() {
        assume(Capability.SNAPSHOT);
        assume(Capability.CHANGE_FEED);
        putUntil("a/1", "x", 100);
        clock().advanceMillis(50);
        try (Snapshot snapshot = store().snapshot();
                ChangeFeed feed = snapshot.changes(Set.of(expiring()))) {
            putUntil("a/2", "y", 10);
            clock().advanceMillis(100);
            removeAllExpired();
            store().flush();
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < 100 && seen.size() < 3; i++) {
                feed.poll(100, Duration.ofMillis(50))
                        .forEach(change ->
                                seen.add(change.kind() + " " + change.key().utf8() + " "
                                        + change.before().map(Bytes::utf8).orElse("nothing")));
            }
            assertThat(seen).containsExactly("PUT a/2 nothing", "DELETE a/2 y", "DELETE a/1 x");
        }
    }

    @Test
    default void aClockThatIsSetBackBringsNothingToAnEndTooEarly() {
        putUntil("a/1", "x", 10_000);
        clock().advance(Duration.ofHours(5));
        putUntil("a/2", "y", 10_000);
        removeAllExpired();
        clock().advance(Duration.ofHours(-5));
        putUntil("a/3", "z", 10_000);
        betweenSteps();
        assertThat(shown("a/1", "a/2", "a/3")).containsExactly("a/2=y", "a/3=z");
        clock().advanceMillis(10_000);
        removeAllExpired();
        assertThat(shown("a/1", "a/2", "a/3")).containsExactly("a/2=y");
        clock().advance(Duration.ofHours(6));
        assertThat(shown("a/1", "a/2", "a/3")).isEmpty();
    }

    @Test
    default void removalDoesNotHitARowThatIsWrittenAnew() {
        Table table = expiring();
        int rows = 64;
        for (int round = 0; round < 5; round++) {
            Batch soon = new Batch();
            IntStream.range(0, rows)
                    .forEach(i -> soon.putUntil(table, key("a/" + i), value("soon"), clock().millis() + 5));
            commit(soon);
            clock().advanceMillis(5);
            CompletableFuture<Void> removal = CompletableFuture.runAsync(this::removeAllExpired);
            for (int i = 0; i < rows; i++) {
                store().commit(new Batch().putUntil(table, key("a/" + i), value("late"), clock().millis() + 60_000));
            }
            removal.join();
            assertThat(Rows.all(store(), table)).hasSize(rows).allMatch(row -> row.endsWith("=late"));
        }
    }

    @Test
    default void droppedTablesTakeTheirDeadlinesWithThem() {
        putUntil("a/1", "x", 100);
        store().drop(expiring().name());
        putUntil("a/2", "new", 1000);
        clock().advanceMillis(100);
        removeAllExpired();
        betweenSteps();
        assertThat(shown("a/1", "a/2")).containsExactly("a/2=new");
    }

    @Test
    default void rangeDeletesTakeRowsWithDeadlines() {
        assume(Capability.RANGE_DELETE);
        putUntil("a/1", "x", 100);
        putUntil("b/1", "y", 100);
        commit(new Batch().deleteRange(expiring(), Rows.partition("a/")));
        betweenSteps();
        assertThat(shown("a/1", "b/1")).containsExactly("b/1=y");
        clock().advanceMillis(100);
        removeAllExpired();
        assertThat(shown("a/1", "b/1")).isEmpty();
    }

    @Test
    default void deadlinesNeedATableForThem() {
        StoreUnderTest.assertFails(
                StoreError.BAD_VALUE, () -> new Batch().putUntil(table(), key("a/1"), value("x"), 1));
        TableSpec plain = Rows.spec("neither");
        TableSpec spec = new TableSpec(
                plain.name(),
                plain.kind(),
                plain.columns(),
                plain.partitionKey(),
                plain.sortKey(),
                new TableOptions(Optional.of(Duration.ofSeconds(1)), true, true, false));
        StoreUnderTest.assertFails(StoreError.BAD_SPEC, () -> store().create(spec));
    }

    @Test
    default void keysWithDeadlinesHaveALimitOfTheirOwn() {
        Bytes longest = Bytes.of(new byte[Limits.EXPIRING_KEY_BYTES_MAX]);
        commit(new Batch().putUntil(expiring(), new RowKey(longest, 2), value("x"), clock().millis() + 1));
        assertThat(store().read(expiring(), new RowKey(longest, 2))).contains(value("x"));
        Bytes longer = longest.concat(Bytes.of(new byte[1]));
        StoreUnderTest.assertFails(
                StoreError.TOO_LARGE, () -> new Batch().put(expiring(), new RowKey(longer, 2), value("x")));
        clock().advanceMillis(1);
        removeAllExpired();
        assertThat(store().read(expiring(), new RowKey(longest, 2))).isEmpty();
    }
}
