package io.polytable.redis.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SmallOrderTest {
    private final NavigableMap<Bytes, Bytes> expected = new TreeMap<>();

    @Test
    void showsWhatWasPutIn() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            expected.clear();
            SmallOrder order = SmallOrder.EMPTY;
            for (int i = 0; i < 200; i++) {
                order = change(order, key(random));
                KeyRange range = KeyRange.between(key(random), key(random));
                Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.REVERSE;
                int limit = random.nextInt(12);
                assertThat(read(order.scan(range, direction, limit)))
                        .as("seed %d, step %d", seed, i)
                        .isEqualTo(expected(range, direction, limit));
            }
        }
    }

    @Test
    void aWalkGoesOnOverWhatItBeganWith() {
        SmallOrder before = SmallOrder.EMPTY.with(Bytes.utf8("a"), Bytes.EMPTY);
        Cursor walk = before.scan(KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE);
        SmallOrder after = before.without(Bytes.utf8("a"));
        assertThat(read(walk)).containsExactly(Bytes.utf8("a"));
        assertThat(after.memoryBytes()).isZero();
    }

    private SmallOrder change(SmallOrder order, Bytes key) {
        if (expected.remove(key) != null) {
            return order.without(key);
        }
        expected.put(key, Bytes.EMPTY);
        return order.with(key, Bytes.EMPTY);
    }

    private static Bytes key(Random random) {
        return Bytes.utf8(Integer.toString(random.nextInt(40)));
    }

    private List<Bytes> expected(KeyRange range, Direction direction, int limit) {
        List<Bytes> keys = new ArrayList<>();
        NavigableMap<Bytes, Bytes> inOrder = direction == Direction.FORWARD ? expected : expected.descendingMap();
        for (Bytes key : inOrder.keySet()) {
            if (keys.size() < limit && key.compareTo(range.from()) >= 0 && key.compareTo(range.to()) < 0) {
                keys.add(key);
            }
        }
        return keys;
    }

    private static List<Bytes> read(Cursor cursor) {
        List<Bytes> keys = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        }
        return keys;
    }
}
