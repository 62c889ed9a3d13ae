package io.polytable.table.testkit.contract;

import static io.polytable.table.Direction.FORWARD;
import static io.polytable.table.Direction.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Seeks of cursors, and slices without copies. */
interface SeekContract extends StoreUnderTest {
    private void fill() {
        putAll("a/1=1", "a/3=3", "a/5=5");
        betweenSteps();
        putAll("a/2=2", "a/6=6", "a/7=7", "b/1=8");
        commit(new Batch().delete(table(), Rows.key("a/6")));
    }

    private static void assertOn(Cursor cursor, String row) {
        assertThat(Rows.show(cursor.key(), cursor.value())).isEqualTo(row);
        assertThat(Rows.show(cursor.keySlice().toBytes(), cursor.valueSlice().toBytes()))
                .isEqualTo(row);
    }

    @Test
    default void seekMovesToTheKeyOrTheNextBehindIt() {
        fill();
        for (KeyRange range : CursorContract.RANGES) {
            try (Cursor cursor = store().scan(table(), range)) {
                assertThat(cursor.seek(Bytes.utf8("a/2"))).isTrue();
                assertOn(cursor, "a/2=2");
                assertThat(cursor.seek(Bytes.utf8("a/4"))).isTrue();
                assertOn(cursor, "a/5=5");
                assertThat(cursor.seek(Bytes.utf8("a/6"))).isTrue();
                assertOn(cursor, "a/7=7");
                assertThat(cursor.seek(Bytes.utf8("a/8"))).isFalse();
                assertThat(cursor.next()).isFalse();
                assertThat(cursor.seek(Bytes.utf8("a/1"))).isFalse();
            }
        }
    }

    @Test
    default void seekMovesDownInReverse() {
        fill();
        for (KeyRange range : CursorContract.RANGES) {
            try (Cursor cursor = store().scan(table(), range, REVERSE, Long.MAX_VALUE)) {
                assertThat(cursor.seek(Bytes.utf8("a/65"))).isTrue();
                assertOn(cursor, "a/5=5");
                assertThat(cursor.seek(Bytes.utf8("a/3"))).isTrue();
                assertOn(cursor, "a/3=3");
                assertThat(cursor.next()).isTrue();
                assertOn(cursor, "a/2=2");
                assertThat(cursor.seek(Bytes.utf8("a/0"))).isFalse();
            }
        }
    }

    @Test
    default void aSeekThatIsNotAheadIsTheNextStep() {
        fill();
        for (KeyRange range : CursorContract.RANGES) {
            try (Cursor cursor = store().scan(table(), range)) {
                assertThat(cursor.seek(Bytes.EMPTY)).isTrue();
                assertOn(cursor, "a/1=1");
                assertThat(cursor.seek(Bytes.utf8("a/1"))).isTrue();
                assertOn(cursor, "a/2=2");
                assertThat(cursor.seek(Bytes.utf8("a/0"))).isTrue();
                assertOn(cursor, "a/3=3");
                assertThat(Rows.rest(cursor)).containsExactly("a/5=5", "a/7=7");
            }
        }
    }

    @Test
    default void aSeekStaysInTheRange() {
        fill();
        try (Cursor cursor = store().scan(table(), Rows.within("a/2", "a/6"))) {
            assertThat(cursor.seek(Bytes.utf8("a/1"))).isTrue();
            assertOn(cursor, "a/2=2");
            assertThat(cursor.seek(Bytes.utf8("a/6"))).isFalse();
        }
        try (Cursor cursor = store().scan(table(), Rows.within("a/2", "a/6"), REVERSE, Long.MAX_VALUE)) {
            assertThat(cursor.seek(Bytes.utf8("b/"))).isTrue();
            assertOn(cursor, "a/5=5");
            assertThat(cursor.seek(Bytes.utf8("a/1"))).isFalse();
        }
    }

    @Test
    default void rowsPassedOverDoNotCountTowardsTheLimit() {
        fill();
        for (KeyRange range : CursorContract.RANGES) {
            try (Cursor cursor = store().scan(table(), range, FORWARD, 2)) {
                assertThat(cursor.seek(Bytes.utf8("a/3"))).isTrue();
                assertThat(cursor.seek(Bytes.utf8("a/7"))).isTrue();
                assertOn(cursor, "a/7=7");
                assertThat(cursor.next()).isFalse();
            }
            try (Cursor cursor = store().scan(table(), range, FORWARD, 0)) {
                assertThat(cursor.seek(Bytes.utf8("a/1"))).isFalse();
            }
        }
    }

    @Test
    default void aSeekPassesDeletedRanges() {
        fill();
        commit(new Batch()
                .deleteRange(table(), Rows.within("a/2", "a/6"))
                .put(table(), Rows.key("a/4"), Rows.value("new")));
        for (KeyRange range : CursorContract.RANGES) {
            try (Cursor cursor = store().scan(table(), range)) {
                assertThat(cursor.seek(Bytes.utf8("a/2"))).isTrue();
                assertOn(cursor, "a/4=new");
                assertThat(cursor.seek(Bytes.utf8("a/41"))).isTrue();
                assertOn(cursor, "a/7=7");
            }
        }
    }

    @Test
    default void seeksAndStepsLandWhereASortedMapDoes() {
        Random random = new Random(23);
        NavigableMap<String, String> oracle = new TreeMap<>();
        for (int round = 0; round < 4; round++) {
            change(random, oracle);
            for (KeyRange range : CursorContract.RANGES) {
                walk(random, range, FORWARD, oracle);
                walk(random, range, REVERSE, oracle);
            }
            if (round == 1) {
                betweenSteps();
            }
        }
    }

    private void change(Random random, NavigableMap<String, String> oracle) {
        Batch batch = new Batch();
        for (int i = 0; i < 150; i++) {
            String key = "a/%03d".formatted(random.nextInt(400));
            if (random.nextInt(4) == 0) {
                batch.delete(table(), Rows.key(key));
                oracle.remove(key);
            } else {
                batch.put(table(), Rows.key(key), Rows.value("v" + i));
                oracle.put(key, "v" + i);
            }
        }
        commit(batch);
    }

    private void walk(Random random, KeyRange range, Direction direction, NavigableMap<String, String> oracle) {
        List<String> keys = List.copyOf((direction == FORWARD ? oracle : oracle.descendingMap()).keySet());
        try (Cursor cursor = store().scan(table(), range, direction, Long.MAX_VALUE)) {
            int at = -1;
            while (at < keys.size()) {
                at++;
                boolean there;
                if (random.nextInt(3) == 0) {
                    there = cursor.next();
                } else {
                    String target = "a/%03d".formatted(random.nextInt(400));
                    there = cursor.seek(Bytes.utf8(target));
                    while (at < keys.size() && isBefore(keys.get(at), target, direction)) {
                        at++;
                    }
                }
                assertThat(there).isEqualTo(at < keys.size());
                if (there) {
                    assertOn(cursor, keys.get(at) + "=" + oracle.get(keys.get(at)));
                }
            }
        }
    }

    private static boolean isBefore(String key, String target, Direction direction) {
        return direction == FORWARD ? key.compareTo(target) < 0 : key.compareTo(target) > 0;
    }

    @Test
    default void slicesShowRowsOfAnySize() {
        String large = "x".repeat(100_000);
        putAll("a/1=1", "a/2=" + large, "a/3=", "a/" + large.substring(0, 900) + "=4");
        betweenSteps();
        for (KeyRange range : CursorContract.RANGES) {
            try (Cursor cursor = store().scan(table(), range)) {
                for (String row : List.of("a/1=1", "a/2=" + large, "a/3=", "a/" + large.substring(0, 900) + "=4")) {
                    assertThat(cursor.next()).isTrue();
                    assertOn(cursor, row);
                }
                assertThat(cursor.next()).isFalse();
            }
        }
    }
}
