package io.polytable.redis.model.string;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.string.Strings.Condition;
import io.polytable.redis.model.string.Strings.SetOutcome;
import io.polytable.redis.model.string.Strings.SetRules;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StringsTest {
    private static final List<Condition> CONDITIONS = List.of(Condition.values());

    private final MemoryStore store = new MemoryStore();
    private final Strings strings = new Strings();

    /** The plainest thing that could be right: texts with deadlines in a map, the expired ones taken out first. */
    private static final class Oracle {
        private record Entry(String text, long expireAt) {}

        private final Map<Bytes, Entry> entries = new HashMap<>();

        void expire(long now) {
            entries.values().removeIf(entry -> entry.expireAt >= 0 && entry.expireAt < now);
        }

        String text(Bytes key) {
            Entry entry = entries.get(key);
            return entry == null ? "" : entry.text;
        }

        Optional<Bytes> value(Bytes key) {
            return entries.containsKey(key) ? Optional.of(Bytes.utf8(text(key))) : Optional.empty();
        }

        long expireAt(Bytes key) {
            Entry entry = entries.get(key);
            return entry == null ? Header.NEVER : entry.expireAt;
        }

        void put(Bytes key, String text, long expireAt) {
            entries.put(key, new Entry(text, expireAt));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 16", "4, 16"})
    void answersAsTheOracleDoes(long seed, int shards) {
        Random random = new Random(seed);
        Oracle oracle = new Oracle();
        UnitOfWork unit = open(shards);
        long now = 1000;
        for (int step = 0; step < 2000; step++) {
            if (step % 500 == 0) {
                unit = open(shards);
            }
            now += random.nextInt(20);
            oracle.expire(now);
            Bytes key = Bytes.utf8("key" + random.nextInt(4));
            String what = "seed " + seed + ", step " + step;
            unit.begin(now, true);
            step(random, unit.space(0), key, oracle, what);
            unit.commit();
            unit.begin(now, false);
            assertThat(strings.get(unit.space(0), key)).as(what).isEqualTo(oracle.value(key));
            assertThat(unit.space(0).header(key).map(Header::expireAt).orElse(Header.NEVER))
                    .as(what)
                    .isEqualTo(oracle.expireAt(key));
        }
    }

    private UnitOfWork open(int shards) {
        Keyspace keyspace = shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
        return keyspace.newUnit();
    }

    private void step(Random random, Space space, Bytes key, Oracle oracle, String what) {
        String text = "" + random.nextInt(1000);
        Optional<Bytes> old = oracle.value(key);
        long later = space.nowMillis() + random.nextInt(200);
        switch (random.nextInt(9)) {
            case 0 -> {
                strings.set(space, key, Bytes.utf8(text));
                oracle.put(key, text, Header.NEVER);
            }
            case 1, 2 -> setWithRules(random, space, key, oracle, what);
            case 3 -> {
                assertThat(strings.append(space, key, Bytes.utf8(text)))
                        .as(what)
                        .isEqualTo(oracle.text(key).length() + text.length());
                oracle.put(key, oracle.text(key) + text, oracle.expireAt(key));
            }
            case 4 -> {
                assertThat(strings.getAndRemove(space, key)).as(what).isEqualTo(old);
                oracle.entries.remove(key);
            }
            case 5 -> {
                strings.expire(space, key, later);
                oracle.entries.computeIfPresent(key, (k, entry) -> new Oracle.Entry(entry.text, later));
            }
            case 6 -> overwrite(random, space, key, oracle, what);
            case 7 -> {
                boolean fresh = strings.setAllIfAbsent(space, List.of(key, Bytes.utf8(text)));
                assertThat(fresh).as(what).isEqualTo(old.isEmpty());
                if (fresh) {
                    oracle.put(key, text, Header.NEVER);
                }
            }
            default -> {
                if (old.isEmpty() || Numbers.parseLong(old.get()).isPresent()) {
                    long sum = old.isEmpty() ? 5 : Long.parseLong(oracle.text(key)) + 5;
                    assertThat(strings.add(space, key, 5)).as(what).isEqualTo(sum);
                    oracle.put(key, "" + sum, oracle.expireAt(key));
                }
            }
        }
    }

    private void setWithRules(Random random, Space space, Bytes key, Oracle oracle, String what) {
        Condition condition = CONDITIONS.get(random.nextInt(CONDITIONS.size()));
        boolean keeps = random.nextBoolean();
        long expireAt = random.nextBoolean() ? Header.NEVER : space.nowMillis() + random.nextInt(100);
        Optional<Bytes> old = oracle.value(key);
        boolean writes = condition == Condition.ALWAYS || (condition == Condition.IF_PRESENT) == old.isPresent();

        SetOutcome outcome = strings.set(space, key, Bytes.utf8("set"), new SetRules(condition, true, keeps, expireAt));

        assertThat(outcome).as(what).isEqualTo(new SetOutcome(writes, old));
        if (writes) {
            oracle.put(key, "set", keeps ? oracle.expireAt(key) : expireAt);
        }
    }

    private void overwrite(Random random, Space space, Bytes key, Oracle oracle, String what) {
        int offset = random.nextInt(30);
        StringBuilder expected = new StringBuilder(oracle.text(key));
        expected.setLength(Math.max(expected.length(), offset + 2));
        expected.replace(offset, offset + 2, "##");

        assertThat(strings.overwrite(space, key, offset, Bytes.utf8("##")))
                .as(what)
                .isEqualTo(expected.length());

        oracle.put(key, expected.toString(), oracle.expireAt(key));
        assertThat(strings.range(space, key, 0, -1)).as(what).isEqualTo(Bytes.utf8(expected.toString()));
        assertThat(strings.range(space, key, 1, offset))
                .as(what)
                .isEqualTo(Bytes.utf8(offset < 1 ? "" : expected.substring(1, offset + 1)));
    }
}
