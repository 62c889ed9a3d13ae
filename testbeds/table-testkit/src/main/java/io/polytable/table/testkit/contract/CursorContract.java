package io.polytable.table.testkit.contract;

import static io.polytable.table.Direction.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cursors: they read a snapshot taken when they were opened. */
interface CursorContract extends StoreUnderTest {
    /** The same rows through both kinds of range: one partition, and across partitions. */
    List<KeyRange> RANGES = List.of(Rows.partition("a/"), Rows.between("a/", "b/"));

    @Test
    default void laterWritesDoNotShow() {
        for (KeyRange range : RANGES) {
            putAll("a/1=1", "a/3=3", "a/5=5");
            commit(new Batch().delete(table(), Rows.key("a/2")));
            betweenSteps();
            try (Cursor cursor = store().scan(table(), range)) {
                assertThat(cursor.next()).isTrue();
                putAll("a/2=late", "a/3=late");
                commit(new Batch().delete(table(), Rows.key("a/5")));
                assertThat(Rows.rest(cursor)).as("%s", range).containsExactly("a/3=3", "a/5=5");
            }
        }
    }

    @Test
    default void writesBeforeTheFirstStepDoNotShow() {
        for (KeyRange range : RANGES) {
            commit(new Batch().delete(table(), Rows.key("a/2")).put(table(), Rows.key("a/1"), Rows.value("1")));
            try (Cursor cursor = store().scan(table(), range)) {
                putAll("a/1=late", "a/2=late");
                assertThat(Rows.rest(cursor)).as("%s", range).containsExactly("a/1=1");
            }
        }
    }

    @Test
    default void laterWritesDoNotShowBackwards() {
        for (KeyRange range : RANGES) {
            putAll("a/1=1", "a/3=3");
            commit(new Batch().delete(table(), Rows.key("a/2")));
            try (Cursor cursor = store().scan(table(), range, REVERSE, Long.MAX_VALUE)) {
                assertThat(cursor.next()).isTrue();
                putAll("a/1=late", "a/2=late");
                assertThat(Rows.rest(cursor)).as("%s", range).containsExactly("a/1=1");
            }
        }
    }

    @Test
    default void aLaterRangeDeleteDoesNotShow() {
        for (KeyRange range : RANGES) {
            putAll("a/1=1", "a/2=2");
            betweenSteps();
            putAll("a/3=3");
            try (Cursor cursor = store().scan(table(), range)) {
                commit(new Batch().deleteRange(table(), KeyRange.ALL));
                assertThat(Rows.rest(cursor)).as("%s", range).containsExactly("a/1=1", "a/2=2", "a/3=3");
            }
            assertThat(Rows.all(store(), table())).isEmpty();
        }
    }

    @Test
    default void keyAndValueStayValidAfterTheNextStepAndAfterClose() {
        putAll("a/1=1", "a/2=2");
        betweenSteps();
        Bytes key;
        Bytes value;
        try (Cursor cursor = store().scan(table(), Rows.partition("a/"))) {
            assertThat(cursor.next()).isTrue();
            key = cursor.key();
            value = cursor.value();
            assertThat(cursor.next()).isTrue();
        }
        put("a/1", "late");
        assertThat(Rows.show(key, value)).isEqualTo("a/1=1");
    }

    @Test
    default void theEndIsTheEnd() {
        put("a/1", "1");
        for (KeyRange range : RANGES) {
            try (Cursor cursor = store().scan(table(), range)) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.next()).isFalse();
                put("a/2", "late");
                assertThat(cursor.next()).isFalse();
            }
            commit(new Batch().delete(table(), Rows.key("a/2")));
        }
    }

    @Test
    default void severalCursorsWalkIndependently() {
        putAll("a/1=1", "a/2=2");
        try (Cursor first = store().scan(table(), Rows.partition("a/"))) {
            put("a/3", "3");
            try (Cursor second = store().scan(table(), Rows.partition("a/"))) {
                assertThat(first.next()).isTrue();
                assertThat(Rows.rest(second)).containsExactly("a/1=1", "a/2=2", "a/3=3");
                assertThat(Rows.rest(first)).containsExactly("a/2=2");
            }
        }
    }
}
