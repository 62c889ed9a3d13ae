package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Batch;
import io.polytable.table.Capability;
import io.polytable.table.Change;
import io.polytable.table.ChangeFeed;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.testkit.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All tables as of one moment. */
interface SnapshotContract extends StoreUnderTest {
    @Test
    default void aSnapshotDoesNotSeeWhatComesLater() {
        assume(Capability.SNAPSHOT);
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
        assume(Capability.SNAPSHOT);
        assume(Capability.RANGE_DELETE);
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
        assume(Capability.SNAPSHOT);
        assume(Capability.RANGE_DELETE);
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
    default void snapshotsOfManyMomentsStandSideBySide() {
        assume(Capability.SNAPSHOT);
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
        assume(Capability.SNAPSHOT);
        commit(new Batch().put(table("x"), key("a/1"), value("1")).put(table("y"), key("a/1"), value("1")));
        try (Snapshot snapshot = store().snapshot()) {
            commit(new Batch().put(table("x"), key("a/1"), value("2")).put(table("y"), key("a/1"), value("2")));
            assertThat(Rows.all(snapshot, table("x"))).containsExactly("a/1=1");
            assertThat(Rows.all(snapshot, table("y"))).containsExactly("a/1=1");
        }
    }

    @Test
    default void theFeedFromItsPositionIsExactlyTheRest() {
        assume(Capability.SNAPSHOT);
        assume(Capability.CHANGE_FEED);
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
        assume(Capability.SNAPSHOT);
        put("a/1", "1");
        Snapshot snapshot = store().snapshot();
        snapshot.close();
        snapshot.close();
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> snapshot.read(table(), key("a/1")));
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> snapshot.scan(table(), KeyRange.ALL));
    }
}
