package io.polytable.table.testkit;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Limits;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The memory store's own limits. */
class MemoryStoreLimitsTest {
    @Test
    void thereAreOnlySoManyTables() {
        MemoryStore store = new MemoryStore();
        for (int i = 0; i < Limits.TABLES_MAX; i++) {
            store.create(Rows.spec("t" + i));
        }
        StoreException refused = catchThrowableOfType(StoreException.class, () -> store.create(Rows.spec("one_more")));
        assertThat(refused.error()).isEqualTo(StoreError.TOO_MANY);
        assertThat(store.create(Rows.spec("t0")).id()).isEqualTo(1);
        store.drop(Rows.spec("t0").name());
        assertThat(store.create(Rows.spec("one_more")).id()).isEqualTo(Limits.TABLES_MAX + 1);
    }

    @Test
    void theFeedGoesBackOnlySoManyCommits() {
        MemoryStore store = new MemoryStore(3);
        Table table = store.create(Rows.spec("t"));
        for (int i = 0; i < 3; i++) {
            store.commit(new Batch().put(table, key("a/" + i), value("v")));
        }
        try (ChangeFeed feed = store.changes(Set.of(table), Position.START)) {
            assertThat(feed.poll(10, Duration.ZERO)).hasSize(3);
        }
        store.commit(new Batch().put(table, key("a/3"), value("v")));
        try (ChangeFeed feed = store.changes(Set.of(table), Position.START)) {
            StoreException expired = catchThrowableOfType(StoreException.class, () -> feed.poll(10, Duration.ZERO));
            assertThat(expired.error()).isEqualTo(StoreError.POSITION_EXPIRED);
        }
    }
}
