package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.KeyRange;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The change feed: gap-free, in commit order, from any position until that expires. */
interface FeedContract extends StoreUnderTest {
    /** All changes from the position on, as text; the last change of a commit is marked with a dot. */
    private List<String> changes(Position from, Table... tables) {
        try (ChangeFeed feed = store().changes(Set.of(tables), from)) {
            List<String> seen = new ArrayList<>();
            for (List<Change> some = poll(feed); !some.isEmpty(); some = poll(feed)) {
                some.forEach(change -> seen.add(show(change)));
            }
            return seen;
        }
    }

    private static List<Change> poll(ChangeFeed feed) {
        return feed.poll(100, Duration.ZERO);
    }

    private static String show(Change change) {
        String what = switch (change.kind()) {
            case PUT -> Rows.show(change.key(), change.value().orElseThrow());
            case DELETE -> "-" + change.key().utf8();
            case DELETE_RANGE ->
                "-[" + change.key().utf8() + "," + change.end().orElseThrow().utf8() + ")";
        };
        return change.last() ? what + "." : what;
    }

    private Position here() {
        table();
        return store().position();
    }

    @Test
    default void changesComeInCommitOrderEachCommitTogether() {
        Position from = here();
        put("b/1", "x");
        commit(new Batch()
                .put(table(), key("a/1"), value("y"))
                .delete(table(), key("b/1"))
                .put(table(), key("c/1"), value("z")));
        put("a/1", "w");
        List<String> expected = List.of("b/1=x.", "a/1=y", "-b/1", "c/1=z.", "a/1=w.");
        assertThat(changes(from, table())).isEqualTo(expected);
        betweenSteps();
        assertThat(changes(from, table())).isEqualTo(expected);
        assertThat(changes(Position.START, table())).isEqualTo(expected);
    }

    @Test
    default void changesTellWhyTheirCommitWasMade() {
        Position from = here();
        put("a/1", "x");
        put("a/2", "y");
        commit(new Batch(Origin.FLUSH).delete(table(), key("a/1")));
        commit(new Batch(Origin.UPKEEP).delete(table(), key("a/2")));
        betweenSteps();
        try (ChangeFeed feed = store().changes(Set.of(table()), from)) {
            assertThat(poll(feed))
                    .extracting(Change::origin)
                    .containsExactly(Origin.CLIENT, Origin.CLIENT, Origin.FLUSH, Origin.UPKEEP);
        }
    }

    @Test
    default void rangeDeletesShowTheirBoundsWhereTheyStand() {
        Position from = here();
        commit(new Batch()
                .put(table(), key("a/1"), value("gone"))
                .deleteRange(table(), Rows.partition("a/"))
                .put(table(), key("a/2"), value("x")));
        commit(new Batch().deleteRange(table(), KeyRange.between(Rows.value("b"), Rows.value(""))));
        assertThat(changes(from, table())).containsExactly("a/1=gone", "-[a/,a0)", "a/2=x.", "-[b,).");
    }

    @Test
    default void onlyTheAskedTablesShow() {
        Position from = here();
        Table other = table("other");
        put("a/1", "1");
        commit(new Batch().put(other, key("a/1"), value("2")));
        commit(new Batch().put(table(), key("a/2"), value("3")).put(other, key("a/2"), value("4")));
        assertThat(changes(from, table())).containsExactly("a/1=1.", "a/2=3.");
        assertThat(changes(from, other)).containsExactly("a/1=2.", "a/2=4.");
        assertThat(changes(from, table(), other)).containsExactly("a/1=1.", "a/1=2.", "a/2=3", "a/2=4.");
    }

    @Test
    default void aFeedGoesOnAfterAnyCommitItShowed() {
        Position from = here();
        putAll("a/1=1", "a/2=2", "a/3=3", "a/4=4");
        List<Position> positions = new ArrayList<>();
        try (ChangeFeed feed = store().changes(Set.of(table()), from)) {
            poll(feed).forEach(change -> positions.add(change.position()));
            assertThat(feed.position()).isEqualTo(positions.get(3));
        }
        betweenSteps();
        List<String> all = List.of("a/1=1.", "a/2=2.", "a/3=3.", "a/4=4.");
        for (int i = 0; i < 4; i++) {
            assertThat(changes(Position.parse(positions.get(i).text()), table()))
                    .isEqualTo(all.subList(i + 1, 4));
        }
        assertThat(changes(store().position(), table())).isEmpty();
    }

    @Test
    default void aCommitThatIsLargerThanAPollGoesOnWithTheNext() {
        Position from = here();
        put("b/1", "first");
        Batch batch = new Batch();
        for (int i = 0; i < 10; i++) {
            batch.put(table(), key("a/" + i), value("v"));
        }
        commit(batch);
        try (ChangeFeed feed = store().changes(Set.of(table()), from)) {
            List<Change> seen = new ArrayList<>(feed.poll(4, Duration.ZERO));
            assertThat(seen).hasSize(4);
            // In the middle of the second commit: a feed that resumes here returns that commit again from its start.
            assertThat(changes(feed.position(), table())).hasSize(10);
            for (List<Change> some = poll(feed); !some.isEmpty(); some = poll(feed)) {
                seen.addAll(some);
            }
            assertThat(seen).hasSize(11);
            assertThat(seen.subList(1, 10)).noneMatch(Change::last);
            assertThat(seen.get(10).last()).isTrue();
            assertThat(changes(feed.position(), table())).isEmpty();
        }
    }

    @Test
    default void aFeedWaitsForWhatComes() {
        Position from = here();
        Table table = table();
        try (ChangeFeed feed = store().changes(Set.of(table), from)) {
            assertThat(feed.poll(10, Duration.ofMillis(1))).isEmpty();
            CompletableFuture<List<Change>> waiting =
                    CompletableFuture.supplyAsync(() -> feed.poll(10, Duration.ofSeconds(PATIENCE_SECONDS)));
            put("a/1", "1");
            assertThat(waiting.join()).extracting(FeedContract::show).containsExactly("a/1=1.");
        }
    }

    @Test
    default void aTextThatIsNoPositionIsRefused() {
        here();
        for (String text : List.of("nonsense", "-1", "0x", "99999999999999999999", " ", "a-b-c")) {
            StoreUnderTest.assertFails(StoreError.BAD_POSITION, () -> changes(Position.parse(text), table()));
        }
    }

    @Test
    default void aForgottenPositionHasExpiredAndLaterOnesHaveNot() {
        Position before = here();
        putAll("a/1=1", "a/2=2");
        forgetChanges();
        Position after = store().position();
        StoreUnderTest.assertFails(StoreError.POSITION_EXPIRED, () -> changes(before, table()));
        StoreUnderTest.assertFails(StoreError.POSITION_EXPIRED, () -> changes(Position.START, table()));
        put("a/3", "3");
        assertThat(changes(after, table())).containsExactly("a/3=3.");
        betweenSteps();
        StoreUnderTest.assertFails(StoreError.POSITION_EXPIRED, () -> changes(before, table()));
        assertThat(changes(after, table())).containsExactly("a/3=3.");
    }

    @Test
    default void aClosedFeedSaysSo() {
        Position from = here();
        ChangeFeed feed = store().changes(Set.of(table()), from);
        feed.close();
        feed.close();
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> feed.poll(1, Duration.ZERO));
    }
}
