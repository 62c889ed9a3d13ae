package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Feeds with old values, and their readiness callbacks. */
interface OldValuesContract extends StoreUnderTest {
    private static List<String> poll(ChangeFeed feed) {
        List<String> seen = new ArrayList<>();
        for (List<Change> some = feed.poll(100, Duration.ZERO); !some.isEmpty(); some = feed.poll(100, Duration.ZERO)) {
            some.forEach(change -> seen.add(show(change)));
        }
        return seen;
    }

    private static String show(Change change) {
        String before = change.before().map(Bytes::utf8).orElse("");
        String after = change.value().map(Bytes::utf8).orElse("");
        return change.key().utf8() + ":" + before + ">" + after + (change.last() ? "." : "");
    }

    private ChangeFeed since(Table... tables) {
        try (Snapshot snapshot = store().snapshot()) {
            return snapshot.changes(Set.of(tables));
        }
    }

    @Test
    default void aChangeTellsWhatTheRowWasBefore() {
        putAll("a/1=1", "a/2=2");
        try (ChangeFeed feed = since(table())) {
            put("a/1", "3");
            put("a/1", "4");
            commit(new Batch().delete(table(), key("a/2")).put(table(), key("a/3"), value("5")));
            assertThat(poll(feed)).containsExactly("a/1:1>3.", "a/1:3>4.", "a/2:2>", "a/3:>5.");
            put("a/2", "6");
            assertThat(poll(feed)).containsExactly("a/2:>6.");
        }
    }

    @Test
    default void aFeedOfASnapshotBeginsRightBehindIt() {
        put("a/1", "1");
        Table table = table();
        try (Snapshot snapshot = store().snapshot()) {
            put("a/1", "2");
            put("a/2", "3");
            try (ChangeFeed feed = snapshot.changes(Set.of(table))) {
                put("a/1", "4");
                assertThat(poll(feed)).containsExactly("a/1:1>2.", "a/2:>3.", "a/1:2>4.");
            }
        }
    }

    @Test
    default void aRangeDeleteShowsTheRowsThatItRemoved() {
        putAll("a/1=1", "a/2=2", "a/3=3", "b/1=4");
        try (ChangeFeed feed = since(table())) {
            put("a/4", "5");
            commit(new Batch().deleteRange(table(), Rows.partition("a/")).put(table(), key("a/2"), value("6")));
            List<String> seen = poll(feed);
            assertThat(seen.get(0)).isEqualTo("a/4:>5.");
            assertThat(seen.subList(1, seen.size()).stream().map(text -> text.replace(".", "")))
                    .containsExactlyInAnyOrder("a/1:1>", "a/3:3>", "a/4:5>", "a/2:2>6");
        }
    }

    @Test
    default void aRowThatACommitChangesTwiceShowsOnce() {
        putAll("a/1=1", "a/2=2");
        try (ChangeFeed feed = since(table())) {
            commit(new Batch()
                    .put(table(), key("a/1"), value("3"))
                    .put(table(), key("a/3"), value("4"))
                    .deleteRange(table(), Rows.partition("a/"))
                    .put(table(), key("a/1"), value("5"))
                    .delete(table(), key("a/4")));
            assertThat(poll(feed).stream().map(text -> text.replace(".", "")))
                    .containsExactlyInAnyOrder("a/1:1>5", "a/2:2>");
        }
    }

    @Test
    default void whoDoesNotAskSeesNoOldValues() {
        Table other = table("other");
        put("a/1", "1");
        try (ChangeFeed old = since(table());
                ChangeFeed plain = store().changes(Set.of(table(), other), store().position())) {
            put("a/1", "2");
            commit(new Batch().put(other, key("a/1"), value("3")));
            assertThat(poll(plain)).containsExactly("a/1:>2.", "a/1:>3.");
            assertThat(poll(old)).containsExactly("a/1:1>2.");
        }
    }

    /** A copy maintained by a feed with old values always contains each old value. */
    @Test
    default void oldValuesAreExactlyTheCopyThatTheFeedBuilds() {
        Random random = new Random(11);
        Table table = table();
        putAll("a/1=x", "a/2=y");
        SortedMap<String, String> copy = new TreeMap<>(Map.of("a/1", "x", "a/2", "y"));
        try (ChangeFeed feed = since(table)) {
            for (int step = 0; step < 300; step++) {
                step(random, table, step);
                if (step % 7 == 0) {
                    follow(feed, copy);
                }
            }
            follow(feed, copy);
        }
        List<String> rows = copy.entrySet().stream().map(Object::toString).toList();
        assertThat(rows).isEqualTo(Rows.all(store(), table));
    }

    private void step(Random random, Table table, int step) {
        Batch batch = new Batch();
        String row = "a/" + random.nextInt(20);
        switch (random.nextInt(4)) {
            case 0 -> batch.delete(table, key(row));
            case 1 -> {
                batch.deleteRange(table, Rows.within("a/1", "a/3"));
                batch.put(table, key(row), value("r" + step));
            }
            default -> batch.put(table, key(row), value("v" + step)).put(table, key("b/" + step), value("w"));
        }
        commit(batch);
    }

    private static void follow(ChangeFeed feed, SortedMap<String, String> copy) {
        List<Change> some = feed.poll(5, Duration.ZERO);
        while (!some.isEmpty()) {
            for (Change change : some) {
                String key = change.key().utf8();
                assertThat(change.before().map(Bytes::utf8).orElse("none"))
                        .as(key)
                        .isEqualTo(copy.getOrDefault(key, "none"));
                if (change.value().isPresent()) {
                    copy.put(key, change.value().get().utf8());
                } else {
                    copy.remove(key);
                }
            }
            some = feed.poll(5, Duration.ZERO);
        }
    }

    @Test
    default void aFeedCallsOnceWhenThereIsSomethingToPoll() {
        Table table = table();
        try (ChangeFeed feed = since(table)) {
            CompletableFuture<Void> called = new CompletableFuture<>();
            feed.whenReady(() -> {
                if (!called.complete(null)) {
                    throw new AssertionError("called twice");
                }
            });
            put("a/1", "1");
            called.join();
            CompletableFuture<Void> again = new CompletableFuture<>();
            feed.whenReady(() -> again.complete(null));
            again.join();
            assertThat(poll(feed)).containsExactly("a/1:>1.");
        }
    }
}
