package io.polytable.redis.model.bitmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.bitmap.Bitmaps.Operation;
import io.polytable.redis.model.bitmap.Bitmaps.Part;
import io.polytable.redis.model.keyspace.KeyMoves;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.redis.model.string.OpenString;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.upkeep.Housekeeping;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings around and beyond the length from which on they are in segments, beside plain arrays. */
class SegmentedStringTest {
    private static final Bytes KEY = Bytes.utf8("k");
    private static final List<Operation> OPERATIONS = List.of(Operation.values());
    private static final int STEPS = 250;
    private static final int BYTES_MAX = 5 * OpenString.ONE_ROW_BYTES_MAX;

    private final MemoryStore store = new MemoryStore();
    private final Keyspace keyspace = Keyspace.open(store);
    private final UnitOfWork unit = keyspace.newUnit();
    private final Bitmaps bitmaps = new Bitmaps();
    private final Strings strings = new Strings();

    private <T> T run(Function<Space, T> command) {
        unit.begin(0, true);
        T answer = command.apply(unit.space(0));
        unit.commit();
        return answer;
    }

    private <T> ObjectAssert<T> assertRun(Function<Space, T> command) {
        return assertThatObject(run(command));
    }

    private static Bytes key(int number) {
        return Bytes.utf8("k" + number);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void answersAsAnArrayDoes(long seed) {
        Random random = new Random(seed);
        List<PlainBits> plain = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            byte[] first = new byte[random.nextBoolean() ? 10 : OpenString.ONE_ROW_BYTES_MAX + random.nextInt(9000)];
            plain.add(new PlainBits(first));
            int number = i;
            run(space -> {
                strings.set(space, key(number), Bytes.of(first.clone()));
                return true;
            });
        }
        for (int i = 0; i < STEPS; i++) {
            int number = random.nextInt(3);
            step(random, key(number), plain.get(number));
            if (i % 25 == 0) {
                combine(random, plain);
            }
        }
        for (int i = 0; i < 3; i++) {
            Bytes key = key(i);
            assertRun(space -> strings.get(space, key))
                    .as("seed %d", seed)
                    .isEqualTo(Optional.of(Bytes.of(plain.get(i).bytes())));
        }
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }

    private void step(Random random, Bytes key, PlainBits plain) {
        long at = random.nextInt(8 * BYTES_MAX);
        switch (random.nextInt(8)) {
            case 0 -> assertRun(space -> bitmaps.get(space, key, at)).isEqualTo(plain.get(at));
            case 1 -> {
                int bit = random.nextInt(2);
                assertRun(space -> bitmaps.set(space, key, at, bit)).isEqualTo(plain.set(at, bit));
            }
            case 2 -> write(random, key, plain, (int) (at / 8));
            case 3 -> append(random, key, plain);
            case 4 -> field(random, key, plain, at);
            case 5 -> range(random, key, plain);
            case 6 -> search(random, key, plain);
            default -> assertRun(space -> strings.length(space, key)).isEqualTo(plain.length());
        }
    }

    /** Often zeros or ones only, so that whole segments become so. */
    private static byte[] part(Random random) {
        byte[] part = new byte[random.nextBoolean() ? 1 + random.nextInt(20) : random.nextInt(3 * 4096)];
        switch (random.nextInt(3)) {
            case 0 -> random.nextBytes(part);
            case 1 -> Arrays.fill(part, (byte) -1);
            default -> {}
        }
        return part;
    }

    private void write(Random random, Bytes key, PlainBits plain, int at) {
        byte[] part = part(random);
        if (part.length > 0) {
            plain.write(at, part);
        }
        assertRun(space -> strings.overwrite(space, key, at, Bytes.of(part))).isEqualTo(plain.length());
    }

    private void append(Random random, Bytes key, PlainBits plain) {
        byte[] part = plain.length() < BYTES_MAX ? part(random) : new byte[0];
        plain.write((int) plain.length(), part);
        assertRun(space -> strings.append(space, key, Bytes.of(part))).isEqualTo(plain.length());
    }

    private void field(Random random, Bytes key, PlainBits plain, long at) {
        BitField field = new BitField(random.nextBoolean(), 1 + random.nextInt(63));
        byte[] before = plain.bytes().clone();
        plain.growTo((int) ((at + field.bits() + 7) / 8));
        field.set(plain.bytes(), at, 42);
        List<OptionalLong> answers = run(space -> bitmaps.fields(
                space,
                key,
                List.of(
                        new Bitmaps.Step.Get(field, at),
                        new Bitmaps.Step.Set(field, at, 42, BitField.Overflow.WRAP),
                        new Bitmaps.Step.Increment(field, at, 0, BitField.Overflow.WRAP))));
        long old = field.get(before, at);
        assertThat(answers)
                .containsExactly(
                        OptionalLong.of(old), OptionalLong.of(old), OptionalLong.of(field.get(plain.bytes(), at)));
    }

    private void range(Random random, Bytes key, PlainBits plain) {
        int from = random.nextInt(BYTES_MAX);
        int to = from + random.nextInt(10_000);
        byte[] bytes = plain.bytes();
        Bytes expected =
                from >= bytes.length ? Bytes.EMPTY : Bytes.of(bytes).slice(from, Math.min(bytes.length, to + 1));
        assertRun(space -> strings.range(space, key, from, to)).isEqualTo(expected);
    }

    private void search(Random random, Bytes key, PlainBits plain) {
        long last = 8 * plain.length() - 1;
        long from = Math.min(last, random.nextInt(8 * BYTES_MAX));
        long to = Math.min(last, from + random.nextInt(80_000));
        Part part = new Part(from, to, true);
        assertRun(space -> bitmaps.count(space, key, part)).isEqualTo(plain.count(from, to));
        for (int bit = 0; bit <= 1; bit++) {
            int wanted = bit;
            assertRun(space -> bitmaps.find(space, key, wanted, part, true)).isEqualTo(plain.find(wanted, from, to));
        }
    }

    private void combine(Random random, List<PlainBits> plain) {
        Operation operation = OPERATIONS.get(random.nextInt(4));
        int target = random.nextInt(3);
        List<Integer> sources =
                operation == Operation.NOT ? List.of(random.nextInt(3)) : List.of(random.nextInt(3), random.nextInt(3));
        int length = sources.stream()
                .mapToInt(source -> plain.get(source).bytes().length)
                .max()
                .orElseThrow();
        byte[] result = new byte[length];
        for (int i = 0; i < length; i++) {
            result[i] = combined(operation, plain, sources, i);
        }
        plain.set(target, new PlainBits(result));
        assertRun(space -> bitmaps.combine(
                        space,
                        operation,
                        key(target),
                        sources.stream().map(SegmentedStringTest::key).toList()))
                .isEqualTo((long) length);
    }

    private static byte combined(Operation operation, List<PlainBits> plain, List<Integer> sources, int at) {
        byte one = at(plain.get(sources.get(0)), at);
        byte other = at(plain.get(sources.get(sources.size() - 1)), at);
        return (byte)
                switch (operation) {
                    case AND -> one & other;
                    case OR -> one | other;
                    case XOR -> one ^ other;
                    case NOT -> ~one;
                };
    }

    private static byte at(PlainBits bits, int at) {
        return at < bits.bytes().length ? bits.bytes()[at] : 0;
    }

    @Test
    void aBitFarAwayCostsOneRow() {
        long far = 4_000_000_000L;
        assertRun(space -> bitmaps.set(space, KEY, far, 1)).isEqualTo(0);
        assertRun(space -> bitmaps.set(space, KEY, 3, 1)).isEqualTo(0);
        assertRun(space -> bitmaps.get(space, KEY, far)).isEqualTo(1);
        assertRun(space -> bitmaps.count(space, KEY, Part.WHOLE)).isEqualTo(2L);
        assertRun(space -> bitmaps.find(space, KEY, 1, new Part(1, -1, false), false))
                .isEqualTo(far);
        assertRun(space -> bitmaps.find(space, KEY, 0, new Part(far, -1, true), true))
                .isEqualTo(far + 1);
        assertRun(space -> strings.length(space, KEY)).isEqualTo(far / 8 + 1);
        assertRun(space -> strings.range(space, KEY, far / 8 - 1, -1)).isEqualTo(Bytes.of(new byte[] {0, -128}));
        assertRun(space -> space.header(KEY).orElseThrow().type()).isEqualTo(Type.STRING);
        assertThat(elementRows()).isEqualTo(2);
        assertThat(elementBytes()).isLessThan(2 * 4096L);
        assertRun(space -> bitmaps.set(space, KEY, far, 0)).isEqualTo(1);
        assertThat(elementRows()).isOne();
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }

    private long elementRows() {
        return rows(cursor -> 1L);
    }

    private long elementBytes() {
        return rows(cursor -> (long) cursor.value().length());
    }

    private long rows(Function<Cursor, Long> counted) {
        long sum = 0;
        try (Cursor cursor = store.scan(keyspace.tables().elements(0), KeyRange.ALL)) {
            while (cursor.next()) {
                sum += counted.apply(cursor);
            }
        }
        return sum;
    }

    /** Reading a part costs the part, reading the whole the whole, whatever is stored of it. */
    @Test
    void theWholeIsRefusedWhenTheHeapCannotCarryIt() {
        long bytes = 64L << 20;
        run(space -> bitmaps.set(space, KEY, (bytes - 1) * 8, 1));
        unit.begin(0, false);
        Space space = unit.space(0);
        int most = (int) (Runtime.getRuntime().maxMemory() / bytes);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < most; i++) {
                        assertThat(strings.get(space, KEY).orElseThrow().length())
                                .isEqualTo((int) bytes);
                    }
                })
                .isInstanceOf(RedisError.class)
                .hasMessageContaining("larger than the server's memory");
        unit.begin(0, false);
        assertThat(strings.range(space, KEY, bytes - 2, -1)).isEqualTo(Bytes.of(new byte[] {0, -128}));
    }

    @Test
    void aLongStringThatIsOnlySetStaysOneRow() {
        Bytes value = Bytes.of(new byte[10 * OpenString.ONE_ROW_BYTES_MAX]);
        run(space -> {
            strings.set(space, KEY, value);
            return bitmaps.get(space, KEY, 5) + bitmaps.count(space, KEY, Part.WHOLE);
        });
        assertRun(space -> bitmaps.set(space, KEY, 5, 0)).isEqualTo(0);
        assertRun(space -> space.header(KEY).orElseThrow()).isInstanceOf(StringHeader.class);
        assertRun(space -> bitmaps.set(space, KEY, 5, 1)).isEqualTo(0);
        assertRun(space -> space.header(KEY).orElseThrow()).isInstanceOf(CollectionHeader.class);
        assertRun(space -> strings.get(space, KEY).orElseThrow().length()).isEqualTo(value.length());
    }

    @Test
    void deadlineRenameCopyAndRemovalGoOnAsTheyDo() {
        KeyMoves moves = new KeyMoves();
        Bytes copy = Bytes.utf8("copy");
        Bytes renamed = Bytes.utf8("renamed");
        run(space -> {
            strings.set(space, KEY, Bytes.utf8("x"));
            strings.expire(space, KEY, 1_000_000);
            return bitmaps.set(space, KEY, 8L * OpenString.ONE_ROW_BYTES_MAX, 1);
        });
        assertRun(space -> space.header(KEY).orElseThrow().expireAt()).isEqualTo(1_000_000L);
        run(space -> moves.copy(space, KEY, space, copy, false));
        run(space -> {
            moves.rename(space, KEY, renamed);
            return bitmaps.set(space, renamed, 0, 1);
        });
        assertRun(space -> bitmaps.count(space, renamed, Part.WHOLE)).isEqualTo(6L);
        assertRun(space -> bitmaps.count(space, copy, Part.WHOLE)).isEqualTo(5L);
        run(space -> {
            strings.expire(space, copy, Header.NEVER);
            return true;
        });
        assertRun(space -> space.header(copy).orElseThrow().hasDeadline()).isEqualTo(false);
        run(space -> {
            strings.set(space, renamed, Bytes.utf8("short"));
            return space.remove(copy);
        });
        new Housekeeping(keyspace, () -> Instant.ofEpochMilli(2_000_000), FeedFollower.NONE).work();
        assertThat(elementRows()).isZero();
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }
}
