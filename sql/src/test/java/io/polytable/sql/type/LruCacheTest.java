package io.polytable.sql.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruCacheTest {
    private final LruCache<String, String> map = new LruCache<>(10, (key, value) -> value.length());

    @Test
    void evictsTheLeastRecentlyUsed() {
        map.put("a", "1234");
        map.put("b", "1234");
        assertThat(map.get("a")).isNotNull();
        map.put("c", "1234");
        assertThat(map.get("b")).isNull();
        assertThat(map.get("a")).isEqualTo("1234");
        assertThat(map.get("c")).isEqualTo("1234");
    }

    @Test
    void aReplacedValueGivesItsWeightBack() {
        map.put("a", "12345678");
        map.put("a", "12");
        map.put("b", "12345678");
        assertThat(map.get("a")).isEqualTo("12");
        assertThat(map.get("b")).isEqualTo("12345678");
    }

    @Test
    void anEntryHeavierThanTheLimitIsNotKept() {
        map.put("a", "12");
        map.put("b", "12345678901");
        assertThat(map.get("b")).isNull();
        assertThat(map.get("a")).as("the others stay").isEqualTo("12");
        map.put("a", "12345678901");
        assertThat(map.get("a")).as("the old value must not stay").isNull();
        map.clear();
        map.put("c", "1234567890");
        assertThat(map.get("c")).isNotNull();
    }
}
