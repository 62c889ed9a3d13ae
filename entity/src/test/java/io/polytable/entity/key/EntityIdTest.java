package io.polytable.entity.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityIdTest {
    private static final KeyComponent USER = new KeyComponent("user", ComponentType.STRING);
    private static final KeyComponent NUMBER = new KeyComponent("number", ComponentType.LONG);
    private static final KeyComponent PART = new KeyComponent("part", ComponentType.INTEGER);

    private final FormattedKeys plain = new FormattedKeys(List.of(USER, NUMBER, PART), 0, false, 3, 1);
    private final FormattedKeys salted = new FormattedKeys(List.of(USER, NUMBER, PART), 2, false, 1, 2);

    private record Parts(
            String user, @Nullable Long number, @Nullable Integer part) {}

    /** Keys stand in the order of their components, nulls first, whatever texts and numbers they are. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void formattedKeysKeepTheOrderOfTheirComponents(long seed) {
        Random random = new Random(seed);
        List<Parts> entities = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Long number = random.nextInt(4) == 0 ? null : pick(random, -1L, 0L, 1L, Long.MIN_VALUE, random.nextLong());
            Integer part = number == null || random.nextInt(4) == 0
                    ? null
                    : pick(random, 0, -1, Integer.MAX_VALUE, random.nextInt());
            String user =
                    pick(random, "", "a", "a\u0000", "a\u0000\u0001", "a\u0001", "ab", "ü", "\uFFFD", "\uD83D\uDE00");
            entities.add(new Parts(user, number, part));
        }
        Comparator<Parts> order = Comparator.comparing(
                        Parts::user, (a, b) -> Bytes.utf8(a).compareTo(Bytes.utf8(b)))
                .thenComparing(Parts::number, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(Parts::part, Comparator.nullsFirst(Comparator.naturalOrder()));
        for (Parts left : entities) {
            EntityId one = plain.id(left.user, left.number, left.part);
            assertThat(plain.ofRowKey(one.rowKey()).components())
                    .as("seed %d", seed)
                    .isEqualTo(one.components());
            assertThat(EntityIdText.parse(plain, one.toString())).isEqualTo(one);
            Parts right = entities.get(random.nextInt(entities.size()));
            EntityId other = plain.id(right.user, right.number, right.part);
            assertThat(Integer.signum(one.compareTo(other)))
                    .as("seed %d: %s and %s", seed, left, right)
                    .isEqualTo(Integer.signum(order.compare(left, right)));
        }
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static <T> T pick(Random random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    @Test
    void aPrefixOfComponentsIsARange() {
        for (FormattedKeys keys : List.of(plain, salted)) {
            EntityRange bob = keys.startingWith("bob");
            assertThat(bob.contains(keys.id("bob", 1, 2).rowKey())).isTrue();
            assertThat(bob.contains(keys.id("bob", -5).rowKey())).isTrue();
            assertThat(bob.contains(keys.id("bobby", 1).rowKey())).isFalse();
            assertThat(bob.contains(keys.id("bo", 1).rowKey())).isFalse();
            assertThat(keys.startingWith("bob", 1).contains(keys.id("bob", 1, 7).rowKey()))
                    .isTrue();
            assertThat(keys.startingWith("bob", 1).contains(keys.id("bob", 2).rowKey()))
                    .isFalse();
        }
        FormattedKeys wide = new FormattedKeys(List.of(USER, NUMBER), 2, false, 2, 2);
        assertThatThrownBy(() -> wide.startingWith("bob")).isInstanceOf(EntityException.class);
    }

    @Test
    void hashesSpreadAndKeepWhatTheyCan() {
        KeyFormat hashed = new KeyFormat.Hashed();
        EntityId id = hashed.id("alice");
        assertThat(id.rowKey().length()).isEqualTo(16);
        assertThat(hashed.ofRowKey(id.rowKey()).components()).isEmpty();
        assertThat(EntityIdText.parse(hashed, hashed.ofRowKey(id.rowKey()).toString()))
                .isEqualTo(id);
        KeyFormat prefixed = new KeyFormat.HashPrefixed(2);
        EntityId kept = prefixed.ofRowKey(prefixed.id("alice").rowKey());
        assertThat(kept.components()).containsExactly("alice");
        assertThat(kept.rowKey().slice(0, 2)).isEqualTo(id.rowKey().slice(0, 2));
        FormattedKeys only = new FormattedKeys(List.of(USER, NUMBER), 8, true, 2, 2);
        assertThat(only.id("a", 1).rowKey().length()).isEqualTo(8);
        assertThat(only.ofRowKey(only.id("a", 1).rowKey()).components()).isEmpty();
    }

    @Test
    void textsOfIds() {
        KeyFormat raw = new KeyFormat.Raw();
        assertThat(EntityIdText.parse(raw, "plain")).isEqualTo(raw.id("plain"));
        assertThat(EntityIdText.parse(raw, "utf8:hex:00")).isEqualTo(raw.id("hex:00"));
        assertThat(EntityIdText.parse(raw, "hex:00ff").rowKey()).isEqualTo(Bytes.of(new byte[] {0, -1}));
        assertThat(EntityIdText.parse(raw, "url:a%00%ffb").rowKey()).isEqualTo(Bytes.of(new byte[] {'a', 0, -1, 'b'}));
        assertThat(EntityIdText.parse(plain, "['a', 2]")).isEqualTo(plain.id("a", 2));
        assertThat(EntityIdText.parse(plain, "a")).isEqualTo(plain.id("a"));
        for (EntityId id : List.of(
                raw.id("plain"), raw.id("[odd"), raw.id("hex:1"), raw.id(new byte[] {0, -1}), raw.id("key=x"))) {
            assertThat(EntityIdText.parse(raw, id.toString())).as(id.toString()).isEqualTo(id);
            EntityId read = raw.ofRowKey(id.rowKey());
            assertThat(EntityIdText.parse(raw, read.toString()))
                    .as(read.toString())
                    .isEqualTo(id);
        }
        EntityId foreign = EntityIdText.parse(new KeyFormat.HashPrefixed(2), "key=hex:000078");
        assertThat(foreign).as("a key with another's hash").hasToString("key=hex:000078");
        EntityId odd = raw.id("hex:00\u2028");
        assertThat(EntityIdText.parse(raw, odd.toString())).isEqualTo(odd);
        assertThat(EntityIdText.parse(plain, "hbase=hex:610001800000000000000280000003"))
                .isEqualTo(plain.id("a", 2, 3));
    }

    @Test
    void idsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> plain.id(1)).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> plain.id("a", "b")).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> plain.id("a", null, 3)).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> plain.id("a", 1, 1L << 40)).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> plain.id("a", 1, 2, 3)).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> salted.id("a")).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> new KeyFormat.Raw().id("")).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> new KeyFormat.Raw().id("x".repeat(40_000))).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> new KeyFormat.Raw().id("a", "b")).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> plain.ofRowKey(Bytes.utf8("torn"))).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> new KeyFormat.HashPrefixed(17)).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> FormattedKeys.of(USER, USER)).isInstanceOf(EntityException.class);
        // Each half of a character would be written as a question mark, and be the entity of that name.
        for (KeyFormat keys : List.of(new KeyFormat.Raw(), new KeyFormat.Hashed(), plain)) {
            assertThatThrownBy(() -> keys.id("a\ud800")).isInstanceOf(EntityException.class);
            assertThatThrownBy(() -> keys.id("\udc00\ud800")).isInstanceOf(EntityException.class);
            assertThat(keys.id("\ud83d\ude00")).isNotEqualTo(keys.id("?"));
        }
    }
}
