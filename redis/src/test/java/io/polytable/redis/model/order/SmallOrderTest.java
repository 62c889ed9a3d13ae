package io.polytable.redis.model.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
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
                // Several changes without a walk between them happen where it lies.
                for (int changes = random.nextInt(6); changes >= 0; changes--) {
                    order = change(order, key(random));
                }
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
    void theFirstOfARangeAreCopiedAlone() {
        Random random = new Random(7);
        SmallOrder order = SmallOrder.EMPTY;
        for (int i = 0; i < 30; i++) {
            order = change(order, key(random));
        }
        for (int i = 0; i < 500; i++) {
            KeyRange range = KeyRange.between(key(random), key(random));
            Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.REVERSE;
            int limit = random.nextInt(12);
            SmallOrder part = order.within(range, direction, limit);
            List<Bytes> wanted = expected(range, direction, limit);
            assertThat(part.size()).isEqualTo(wanted.size());
            assertThat(read(part.scan(KeyRange.ALL, direction, 100))).isEqualTo(wanted);
        }
    }

    @Test
    void aWalkGoesOnOverWhatItBeganWith() {
        SmallOrder before = with(SmallOrder.EMPTY, Bytes.utf8("a"), Bytes.EMPTY);
        Cursor walk = before.scan(KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE);
        SmallOrder after = before.without(Bytes.utf8("a"));
        assertThat(read(walk)).containsExactly(Bytes.utf8("a"));
        assertThat(after.size()).isZero();
        assertThat(SmallOrder.EMPTY.size()).isZero();
    }

    @Test
    void cutAndJoinedItIsTheSame() {
        Bytes one = Bytes.of(new byte[] {1});
        SmallOrder order = SmallOrder.EMPTY;
        for (int i = 10; i < 60; i++) {
            order = with(order, Bytes.utf8("k" + i), i % 3 == 0 ? one : Bytes.EMPTY);
        }
        for (int cut = 0; cut <= order.size(); cut++) {
            SmallOrder lower = order.between(0, cut);
            SmallOrder upper = order.between(cut, order.size());
            assertThat(lower.size()).isEqualTo(cut);
            SmallOrder joined = lower.followedBy(upper);
            assertThat(read(joined.scan(KeyRange.ALL, Direction.FORWARD, 100)))
                    .isEqualTo(read(order.scan(KeyRange.ALL, Direction.FORWARD, 100)));
            assertThat(joined.rank(Bytes.utf8("k3"))).isEqualTo(20);
            assertThat(joined.memoryBytes()).isLessThanOrEqualTo(order.memoryBytes());
        }
        Cursor walk = order.scan(KeyRange.between(Bytes.utf8("k30"), Bytes.utf8("k32")), Direction.FORWARD, 9);
        assertThat(walk.next()).isTrue();
        assertThat(walk.value()).isEqualTo(one);
        assertThat(walk.next()).isTrue();
        assertThat(walk.value()).isEqualTo(Bytes.EMPTY);
        assertThat(walk.next()).isFalse();
    }

    @Test
    void membersThatAreTooLargeAreNotKept() {
        Bytes large = Bytes.utf8("x".repeat(40_000));
        SmallOrder order = with(SmallOrder.EMPTY, large, Bytes.EMPTY);
        assertThat(order.with(Bytes.utf8("y".repeat(40_000)), Bytes.EMPTY)).isNull();
    }

    private static SmallOrder with(SmallOrder order, Bytes key, Bytes value) {
        return Optional.ofNullable(order.with(key, value)).orElseThrow();
    }

    private SmallOrder change(SmallOrder order, Bytes key) {
        if (expected.remove(key) != null) {
            return order.without(key);
        }
        expected.put(key, Bytes.EMPTY);
        return with(order, key, Bytes.EMPTY);
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
