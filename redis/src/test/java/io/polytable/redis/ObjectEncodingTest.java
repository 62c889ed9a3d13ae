package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** OBJECT where Redis 7.2 differs from the 7.0 that other tests compare with, and where time passes. */
class ObjectEncodingTest {
    private long nowMillis = 1_700_000_000_000L;
    private final RedisInProcess redis = new RedisInProcess(() -> Instant.ofEpochMilli(nowMillis));

    @Test
    void aSetGoesFromIntegersToAListpackToATableAndNeverBack() {
        redis.run("sadd", "s", "1", "2");
        assertThat(encoding("s")).isEqualTo("intset");
        redis.run("sadd", "s", "a");
        assertThat(encoding("s")).isEqualTo("listpack");
        redis.run("srem", "s", "a");
        assertThat(encoding("s")).isEqualTo("listpack");
        redis.run("sadd", "s", "x".repeat(65));
        assertThat(encoding("s")).isEqualTo("hashtable");
        redis.run("srem", "s", "x".repeat(65));
        assertThat(encoding("s")).isEqualTo("hashtable");
        redis.run("copy", "s", "t");
        redis.run("rename", "t", "u");
        assertThat(encoding("u")).isEqualTo("hashtable");
        redis.run("del", "s");
        redis.run("sadd", "s", "1");
        assertThat(encoding("s")).isEqualTo("intset");
    }

    /** As in Redis, whatever came to set a bit, even one that was set already. */
    @Test
    void aStringWhoseBitsAreSetIsRaw() {
        redis.run("set", "k", "123");
        redis.run("setbit", "k", "7", "1");
        assertThat(encoding("k")).isEqualTo("raw");
        redis.run("set", "k", "abc");
        redis.run("bitfield", "k", "get", "u8", "0");
        assertThat(encoding("k")).isEqualTo("embstr");
        redis.run("bitfield", "k", "set", "u8", "0", "97");
        assertThat(encoding("k")).isEqualTo("raw");
    }

    @Test
    void aSetOfIntegersBecomesATableWhenItIsTooLarge() {
        run("sadd", "s", texts(512, ""));
        assertThat(encoding("s")).isEqualTo("intset");
        redis.run("sadd", "s", "1000");
        assertThat(encoding("s")).isEqualTo("hashtable");
        redis.run("srem", "s", "1000");
        assertThat(encoding("s")).isEqualTo("hashtable");
        run("sadd", "many", texts(513, ""));
        assertThat(encoding("many")).isEqualTo("hashtable");
    }

    @Test
    void aSetOfTextsIsPackedUpToTheThreshold() {
        run("sadd", "s", texts(128, "m"));
        assertThat(encoding("s")).isEqualTo("listpack");
        redis.run("sadd", "s", "more");
        assertThat(encoding("s")).isEqualTo("hashtable");
        run("sadd", "t", texts(128, ""));
        redis.run("sadd", "t", "text");
        assertThat(encoding("t")).isEqualTo("hashtable");
        run("sadd", "u", texts(127, ""));
        redis.run("sadd", "u", "text");
        assertThat(encoding("u")).isEqualTo("listpack");
        redis.run("config", "set", "set-max-listpack-entries", "2");
        redis.run("sadd", "few", "a", "b", "c");
        redis.run("srem", "few", "c");
        assertThat(encoding("few")).isEqualTo("hashtable");
    }

    @Test
    void whatIsStoredByAlgebraIsJudgedByItsMembers() {
        redis.run("sadd", "a", "1", "x".repeat(65));
        redis.run("sadd", "b", "1", "2");
        redis.run("sinterstore", "c", "a", "b");
        assertThat(encoding("c")).isEqualTo("intset");
    }

    @Test
    void aListIsPackedUpToItsSize() {
        run("rpush", "l", texts(100, "element"));
        assertThat(encoding("l")).isEqualTo("listpack");
        run("rpush", "l", texts(1000, "element"));
        assertThat(encoding("l")).isEqualTo("quicklist");
        redis.run("config", "set", "list-max-ziplist-size", "3");
        redis.run("rpush", "m", "a", "b", "c");
        assertThat(encoding("m")).isEqualTo("listpack");
        redis.run("rpush", "m", "d");
        assertThat(encoding("m")).isEqualTo("quicklist");
        redis.run("xadd", "x", "1-1", "a", "b");
        assertThat(encoding("x")).isEqualTo("stream");
    }

    @Test
    void idleTimeIsThatSinceTheLastUse() {
        redis.run("set", "k", "v");
        nowMillis += 5_000;
        assertThat(idle("k")).isEqualTo(5L);
        for (String[] glance : new String[][] {
            {"exists", "k"},
            {"type", "k"},
            {"ttl", "k"},
            {"pttl", "k"},
            {"object", "encoding", "k"},
            {"memory", "usage", "k"}
        }) {
            redis.run(glance);
        }
        assertThat(idle("k")).as("asking about it is no use of it").isEqualTo(5L);
        redis.run("get", "k");
        assertThat(idle("k")).isEqualTo(0L);
        nowMillis += 7_999;
        assertThat(idle("k")).isEqualTo(7L);
        redis.run("mget", "other", "k");
        assertThat(idle("k")).isEqualTo(0L);
        nowMillis += 3_000;
        redis.run("touch", "k");
        assertThat(idle("k")).isEqualTo(0L);
        nowMillis += 3_000;
        redis.run("append", "k", "more");
        assertThat(idle("k")).isEqualTo(0L);
    }

    @Test
    void aClientThatDoesNotTouchLeavesTheTimeAlone() {
        redis.run("set", "k", "v");
        redis.run("client", "no-touch", "on");
        nowMillis += 5_000;
        redis.run("get", "k");
        assertThat(idle("k")).isEqualTo(5L);
        redis.run("touch", "k");
        assertThat(idle("k")).as("TOUCH does nothing else").isEqualTo(0L);
        nowMillis += 5_000;
        redis.run("client", "no-touch", "off");
        redis.run("get", "k");
        assertThat(idle("k")).isEqualTo(0L);
    }

    private String encoding(String key) {
        return ((Bytes) redis.run("object", "encoding", key)).utf8();
    }

    private Object idle(String key) {
        return redis.run("object", "idletime", key);
    }

    private void run(String command, String key, List<String> rest) {
        List<String> words = new ArrayList<>(List.of(command, key));
        words.addAll(rest);
        redis.run(words.toArray(String[]::new));
    }

    private static List<String> texts(int count, String prefix) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }
}
