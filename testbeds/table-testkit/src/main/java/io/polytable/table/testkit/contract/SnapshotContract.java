package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Consistent snapshots of all tables. */
interface SnapshotContract extends StoreUnderTest {
    @Test
    default void aSnapshotDoesNotSeeWhatComesLater() {
        putAll("a/1=1", "a/2=2", "b/1=3");
        betweenSteps();
        putAll("a/3=fresh");
        try (Snapshot snapshot = store().snapshot()) {
            putAll("a/1=late", "c/1=late");
            commit(new Batch().delete(table(), key("a/2")));
            assertThat(Rows.all(snapshot, table())).containsExactly("a/1=1", "a/2=2", "a/3=fresh", "b/1=3");
            assertThat(Rows.in(snapshot, table(), Rows.partition("a/"))).containsExactly("a/1=1", "a/2=2", "a/3=fresh");
            assertThat(snapshot.read(table(), key("a/1"))).contains(value("1"));
            assertThat(snapshot.read(table(), key("c/1"))).isEmpty();
            assertThat(snapshot.readMany(table(), List.of(key("a/2"), key("c/1"))))
                    .containsExactly(Optional.of(value("2")), Optional.empty());
            assertThat(Rows.in(snapshot, table(), KeyRange.ALL, Direction.FORWARD, 1))
                    .containsExactly("a/1=1");
        }
        assertThat(Rows.all(store(), table())).containsExactly("a/1=late", "a/3=fresh", "b/1=3", "c/1=late");
    }

    @Test
    default void aSnapshotSeesWhatARangeDeleteTookLater() {
        putAll("a/1=1", "a/2=2");
        betweenSteps();
        putAll("a/3=3");
        try (Snapshot snapshot = store().snapshot()) {
            commit(new Batch().deleteRange(table(), KeyRange.ALL).put(table(), key("a/2"), value("new")));
            assertThat(Rows.all(snapshot, table())).containsExactly("a/1=1", "a/2=2", "a/3=3");
            assertThat(snapshot.read(table(), key("a/3"))).contains(value("3"));
        }
        assertThat(Rows.all(store(), table())).containsExactly("a/2=new");
    }

    @Test
    default void aSnapshotDoesNotSeeWhatARangeDeleteTookBefore() {
        putAll("a/1=1", "a/2=2");
        betweenSteps();
        commit(new Batch().deleteRange(table(), Rows.partition("a/")));
        try (Snapshot snapshot = store().snapshot()) {
            putAll("a/1=late");
            assertThat(Rows.all(snapshot, table())).isEmpty();
            assertThat(snapshot.read(table(), key("a/1"))).isEmpty();
        }
    }

    @Test
    default void aRangeHasAnotherVersionAfterEachOfItsChanges() {
        putAll("a/1=1", "b/1=1", "c/1=1");
        try (RangeChanges changes = store().rangeChanges(
                                table(), List.of(key("b/").bytes(), key("c/").bytes()));
                Snapshot before = store().snapshot()) {
            assertThat(changes.size()).isEqualTo(3);
            long[] first = versions(before, changes);
            assertThat(first).doesNotContain(RangeChanges.UNKNOWN);
            putAll("b/1=2");
            assertThat(versions(before, changes)).containsExactly(first[0], RangeChanges.UNKNOWN, first[2]);
            try (Snapshot after = store().snapshot()) {
                long[] second = versions(after, changes);
                assertThat(second[0]).isEqualTo(first[0]);
                assertThat(second[1]).isNotEqualTo(first[1]).isNotEqualTo(RangeChanges.UNKNOWN);
                assertThat(second[2]).isEqualTo(first[2]);
            }
            commit(new Batch().delete(table(), key("c/1")));
            try (Snapshot after = store().snapshot()) {
                assertThat(after.version(changes, 2)).isNotEqualTo(first[2]);
                assertThat(Rows.in(after, table(), changes.range(1, 2))).containsExactly("b/1=2");
            }
        }
    }

    @Test
    default void aRangeDeleteChangesAllRangesThatItMeets() {
        putAll("a/1=1", "b/1=1", "c/1=1");
        try (RangeChanges changes = store().rangeChanges(
                                table(), List.of(key("b/").bytes(), key("c/").bytes()));
                Snapshot before = store().snapshot()) {
            commit(new Batch()
                    .deleteRange(
                            table(),
                            KeyRange.between(key("a/1").bytes(), key("b/2").bytes())));
            assertThat(before.version(changes, 0)).isEqualTo(RangeChanges.UNKNOWN);
            assertThat(before.version(changes, 1)).isEqualTo(RangeChanges.UNKNOWN);
            assertThat(before.version(changes, 2)).isNotEqualTo(RangeChanges.UNKNOWN);
            commit(new Batch().deleteRange(table(), KeyRange.ALL));
            assertThat(before.version(changes, 2)).isEqualTo(RangeChanges.UNKNOWN);
        }
    }

    private static long[] versions(Snapshot snapshot, RangeChanges changes) {
        return IntStream.range(0, changes.size())
                .mapToLong(range -> snapshot.version(changes, range))
                .toArray();
    }

    @Test
    default void snapshotsOfManyMomentsStandSideBySide() {
        List<Snapshot> snapshots = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                put("a/1", "v" + i);
                snapshots.add(store().snapshot());
            }
            for (int i = 0; i < 10; i++) {
                assertThat(Rows.all(snapshots.get(i), table())).containsExactly("a/1=v" + i);
                assertThat(snapshots.get(i).read(table(), key("a/1"))).contains(value("v" + i));
            }
        } finally {
            snapshots.forEach(Snapshot::close);
        }
    }

    @Test
    default void aSnapshotCoversAllTables() {
        commit(new Batch().put(table("x"), key("a/1"), value("1")).put(table("y"), key("a/1"), value("1")));
        try (Snapshot snapshot = store().snapshot()) {
            commit(new Batch().put(table("x"), key("a/1"), value("2")).put(table("y"), key("a/1"), value("2")));
            assertThat(Rows.all(snapshot, table("x"))).containsExactly("a/1=1");
            assertThat(Rows.all(snapshot, table("y"))).containsExactly("a/1=1");
        }
    }

    @Test
    default void theFeedFromItsPositionIsExactlyTheRest() {
        putAll("a/1=1", "a/2=2");
        betweenSteps();
        table();
        try (Snapshot snapshot = store().snapshot()) {
            putAll("a/3=3", "a/1=late");
            try (ChangeFeed feed = store().changes(Set.of(table()), snapshot.position())) {
                List<Change> rest = feed.poll(100, Duration.ZERO);
                assertThat(rest.stream().map(change -> change.key().utf8())).containsExactly("a/3", "a/1");
            }
        }
    }

    @Test
    default void aClosedSnapshotSaysSo() {
        put("a/1", "1");
        Snapshot snapshot = store().snapshot();
        snapshot.close();
        snapshot.close();
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> snapshot.read(table(), key("a/1")));
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> snapshot.scan(table(), KeyRange.ALL));
    }
}
