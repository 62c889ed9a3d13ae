package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one request may put together in memory: more is refused, and nothing is refused that keeps little. */
class ReadLimitsTest {
    private static final int MB = 1 << 20;
    private static final int ELEMENTS = 30_000;
    private static final int BUDGET_BYTES = MB;
    private static final String FULL = "error: OOM the reply is larger than the server's memory allows";

    private final RedisInProcess redis = new RedisInProcess(
            InstantSource.system(), Keyspace.open(new MemoryStore(), 0, RedisMemory.withReads(BUDGET_BYTES)));

    private Object run(String... words) {
        return redis.run(words);
    }

    /** The words and then so many times the last ones. */
    private static List<Bytes> words(List<String> first, int times, String... last) {
        List<Bytes> all = new ArrayList<>();
        first.forEach(word -> all.add(Bytes.utf8(word)));
        for (int i = 0; i < times; i++) {
            Arrays.stream(last).forEach(word -> all.add(Bytes.utf8(word)));
        }
        return all;
    }

    /** They are all kept until the last one is there, also what no row was read for. */
    @Test
    void theRepliesOfATransaction() {
        run("multi");
        run("config", "get", "*");
        run("set", "k", "1");
        for (int i = 0; i < 1_000; i++) {
            run("config", "get", "*");
        }
        run("set", "k", "2");
        List<?> replies = (List<?>) run("exec");
        assertThat(replies).hasSize(1_003);
        assertThat(replies.get(0)).isInstanceOf(List.class);
        assertThat(replies.get(1_001)).isEqualTo(FULL);
        // What takes next to nothing runs on.
        assertThat(run("get", "k")).isEqualTo(Bytes.utf8("2"));
    }

    /** The client is at odds with the server then, which ends its connection. */
    @Test
    void aCommandThatChangedItsClientAndMayNotSaySo() {
        run("multi");
        for (int i = 0; i < 1_000; i++) {
            run("config", "get", "*");
        }
        run("get", "k");
        assertThat(((List<?>) run("exec")).contains(FULL)).isTrue();
        assertThat(redis.session().isOutOfSync()).isFalse();
        run("multi");
        for (int i = 0; i < 1_000; i++) {
            run("config", "get", "*");
        }
        // More than can be left when one of the replies before it did not fit.
        redis.run(words(List.of("subscribe"), 1_000, "channel"));
        assertThat((List<?>) run("exec")).last().isEqualTo(FULL);
        assertThat(redis.session().isOutOfSync()).isTrue();
    }

    /** Nothing is kept of a reply that did not fit: what comes after it in the transaction has all the space. */
    @Test
    void oneReadThatIsRefusedLeavesTheOthersTheirRoom() {
        for (int i = 0; i < ELEMENTS; i += 1_000) {
            List<Bytes> words = words(List.of("hset", "huge"), 0);
            for (int field = i; field < i + 1_000; field++) {
                words.add(Bytes.utf8("field" + field));
                words.add(Bytes.utf8("value" + field));
            }
            redis.run(words);
        }
        run("multi");
        run("hgetall", "huge");
        for (int i = 0; i < 200; i++) {
            run("set", "k" + i, "1");
        }
        run("hmget", "huge", "field1", "field2");
        List<?> replies = (List<?>) run("exec");
        assertThat(replies.get(0)).isEqualTo(FULL);
        assertThat(replies.subList(1, 201)).noneMatch(FULL::equals);
        assertThat(replies.get(201)).isEqualTo(List.of(Bytes.utf8("value1"), Bytes.utf8("value2")));
        assertThat(run("get", "k199")).isEqualTo(Bytes.utf8("1"));
    }

    @Test
    void picksAmongManyKeepOnlyThemselves() {
        fill("sadd", "many", "");
        assertThat((List<?>) run("srandmember", "many", "-5000")).hasSize(5_000);
    }

    @Test
    void whatATransactionReadsCountsOnce() {
        run("set", "large", "v".repeat(3 * MB / 2));
        run("multi");
        run("get", "large");
        List<?> replies = (List<?>) run("exec");
        assertThat(((Bytes) replies.get(0)).length()).isEqualTo(3 * MB / 2);
    }

    /** A short word must not become kilobytes each time. */
    @Test
    void aCommandThatIsNamedTwiceIsDescribedOnce() {
        Reply.Many infos = (Reply.Many) redis.reply(words(List.of("command", "info"), 2, "client"));
        assertThat(infos.items().get(1)).isSameAs(infos.items().get(0));
        Reply.MapOf pages = (Reply.MapOf) redis.reply(words(List.of("command", "docs"), 2, "client"));
        assertThat(pages.namesAndValues().get(3))
                .isSameAs(pages.namesAndValues().get(1));
        Reply.Many keys = (Reply.Many) redis.reply(words(List.of("command", "getkeysandflags", "mset"), 2, "k", "v"));
        List<Object> flags = new ArrayList<>();
        keys.items().forEach(key -> flags.add(((Reply.Many) key).items().get(1)));
        assertThat(flags.get(1)).isSameAs(flags.get(0));
    }

    /** Few elements, picked again and again. */
    @Test
    void picksWithRepetition() {
        run("sadd", "s", "a", "b");
        run("hset", "h", "a", "1", "b", "2");
        run("zadd", "z", "1", "a", "2", "b");
        for (List<String> pick :
                List.of(List.of("srandmember", "s"), List.of("hrandfield", "h"), List.of("zrandmember", "z"))) {
            assertThat((List<?>) run(pick.get(0), pick.get(1), "-10000")).hasSize(10_000);
            assertThat(run(pick.get(0), pick.get(1), "-1000000")).isEqualTo(FULL);
        }
    }

    @Test
    void whatSortGets() {
        for (int i = 0; i < 2_000; i++) {
            run("rpush", "l", Integer.toString(i));
        }
        assertThat((List<?>) redis.run(words(List.of("sort", "l", "by", "nosort"), 2, "get", "#")))
                .hasSize(4_000);
        assertThat(redis.run(words(List.of("sort", "l", "by", "nosort"), 100, "get", "#")))
                .isEqualTo(FULL);
        for (int i = 0; i < 2_000; i++) {
            run("set", "w" + i, "v".repeat(200));
        }
        assertThat((List<?>) run("sort", "l", "by", "nosort", "get", "w*")).hasSize(2_000);
        assertThat(redis.run(words(List.of("sort", "l", "by", "nosort"), 10, "get", "w*")))
                .isEqualTo(FULL);
        assertThat(redis.run(words(List.of("sort", "l", "by", "nosort", "store", "t"), 100, "get", "#")))
                .isEqualTo(FULL);
    }

    /** Some hundred bytes of payload are a hundred thousand elements. */
    @Test
    void whatRestoreMakesOfCompressedElements() {
        assertThat(restore("few", 1)).isEqualTo("OK");
        assertThat(run("llen", "few")).isEqualTo(133L);
        assertThat(restore("many", 750)).isEqualTo(FULL);
        assertThat(run("exists", "many")).isEqualTo(0L);
    }

    private Object restore(String key, int runs) {
        Bytes payload = Sealed.of(zeros(runs), 11);
        return redis.run(List.of(Bytes.utf8("restore"), Bytes.utf8(key), Bytes.utf8("0"), payload));
    }

    /** A list in a node of a listpack, compressed: one zero, and so many runs of 132 more. */
    private static Bytes zeros(int runs) {
        int unpacked = 9 + 264 * runs;
        ByteBuffer packed = ByteBuffer.allocate(64 + 3 * runs);
        packed.put(new byte[] {18, 1, 2, (byte) 0xc3, (byte) 0x80}).putInt(11 + 3 * runs);
        packed.put((byte) 0x80).putInt(unpacked);
        packed.put((byte) 7).putInt(Integer.reverseBytes(unpacked)).putShort((short) -1);
        packed.put(new byte[] {0, 1});
        for (int i = 0; i < runs; i++) {
            packed.put(new byte[] {(byte) 0xe0, (byte) 255, 1});
        }
        packed.put(new byte[] {0, (byte) 0xff});
        return Bytes.of(packed.array(), 0, packed.position());
    }

    /** What is passed on the way is not kept. */
    @Test
    void searchesAreNotRefused() {
        fill("rpush", "l", "");
        fill("sadd", "s", "");
        assertThat(run("lpos", "l", "nope")).isEqualTo(PlainReply.ABSENT);
        assertThat(run("lpos", "l", Integer.toString(ELEMENTS - 1))).isEqualTo(ELEMENTS - 1L);
        assertThat(run("lrem", "l", "0", "nope")).isEqualTo(0L);
        assertThat(run("linsert", "l", "before", "nope", "x")).isEqualTo(-1L);
        assertThat(run("sintercard", "2", "s", "s")).isEqualTo((long) ELEMENTS);
        assertThat(run("sinter", "s", "s")).isEqualTo(FULL);
        assertThat(run("sunion", "s", "none")).isEqualTo(FULL);
        fill("rpush", "same", "v");
        assertThat(run("lpos", "same", "v", "count", "0")).isEqualTo(FULL);
    }

    /** Nor what sorted sets do not have in common. */
    @Test
    void whatIsPassedInSortedSetsIsNotKept() {
        fill("zadd", "z", "1");
        fill("sadd", "s", "");
        run("sadd", "few", "1", "2", "nope");
        assertThat(run("zintercard", "2", "z", "s")).isEqualTo((long) ELEMENTS);
        assertThat(run("zintercard", "2", "z", "z")).isEqualTo((long) ELEMENTS);
        assertThat(run("zintercard", "2", "z", "s", "limit", Integer.toString(ELEMENTS - 1)))
                .isEqualTo(ELEMENTS - 1L);
        assertThat(run("zintercard", "3", "z", "few", "s", "limit", "0")).isEqualTo(2L);
        assertThat((List<?>) run("zinter", "2", "z", "few")).hasSize(2);
        assertThat((List<?>) run("zdiff", "3", "z", "s", "s")).isEmpty();
        assertThat(run("zinter", "2", "z", "s")).isEqualTo(FULL);
        assertThat(run("zunion", "2", "z", "few")).isEqualTo(FULL);
    }

    /** The size of a value is told from its rows, none of which is kept. */
    @Test
    void theMemoryUsageOfALargeValueIsNotRefused() {
        fill("sadd", "s", "");
        fill("zadd", "z", "1");
        long least = 32L * ELEMENTS;
        assertThat((Long) run("memory", "usage", "s", "samples", "0")).isGreaterThan(least);
        assertThat((Long) run("memory", "usage", "z", "samples", "0")).isGreaterThan(2 * least);
    }

    /** All are in the square around the circle, which the searched cells cover, and one is in the circle. */
    @Test
    void whatAGeoSearchPassesIsNotKept() {
        for (int i = 0; i < ELEMENTS; i += 1_000) {
            List<Bytes> words = words(List.of("geoadd", "g"), 0);
            for (int member = i; member < i + 1_000; member++) {
                words.add(Bytes.utf8("13.00036"));
                words.add(Bytes.utf8("52.00022"));
                words.add(Bytes.utf8("crowd" + member));
            }
            redis.run(words);
        }
        run("geoadd", "g", "13", "52", "here");
        List<Bytes> here = List.of(Bytes.utf8("here"));
        assertThat(run("geosearch", "g", "fromlonlat", "13", "52", "byradius", "30", "m"))
                .isEqualTo(here);
        assertThat(run("geosearch", "g", "fromlonlat", "13", "52", "byradius", "100", "m"))
                .isEqualTo(FULL);
    }

    @Test
    void whatIsRemovedFromASortedSetIsNotKept() {
        fill("zadd", "z", "1");
        assertThat(run("zrange", "z", "0", "-1")).isEqualTo(FULL);
        assertThat(run("zremrangebyrank", "z", "0", Integer.toString(ELEMENTS - 2)))
                .isEqualTo(ELEMENTS - 1L);
        assertThat(run("zcard", "z")).isEqualTo(1L);
    }

    @Test
    void pendingEntriesThatAreNotIdleAreNotKept() {
        run("xgroup", "create", "st", "g", "0", "mkstream");
        for (int i = 0; i < ELEMENTS; i++) {
            run("xadd", "st", "*", "f", "v");
        }
        for (int i = 0; i < ELEMENTS; i += 5_000) {
            run("xreadgroup", "group", "g", "c", "count", "5000", "streams", "st", ">");
        }
        String all = Integer.toString(ELEMENTS);
        assertThat(run("xpending", "st", "g", "idle", "3600000", "-", "+", all)).isEqualTo(List.of());
        assertThat(run("xpending", "st", "g", "-", "+", all)).isEqualTo(FULL);
    }

    @Test
    void picksFromNothingAreNoneHoweverManyAreAskedFor() {
        for (String command : List.of("srandmember", "hrandfield", "zrandmember")) {
            assertThat(run(command, "none", "-2000000000")).as(command).isEqualTo(List.of());
            assertThat(run(command, "none", "-9223372036854775807")).as(command).isEqualTo(List.of());
        }
        run("sadd", "s", "m");
        assertThat(run("srandmember", "s", "-2000000000")).isEqualTo("error: ERR value is out of range");
    }

    /** Numbers from zero on, with a word before each if it says something; or that word alone in a list of equal ones. */
    private void fill(String command, String key, String word) {
        for (int i = 0; i < ELEMENTS; i += 1_000) {
            List<Bytes> words = words(List.of(command, key), 0);
            for (int element = i; element < i + 1_000; element++) {
                if (!word.isEmpty()) {
                    words.add(Bytes.utf8(word));
                }
                if (!word.equals("v")) {
                    words.add(Bytes.utf8(Integer.toString(element)));
                }
            }
            redis.run(words);
        }
    }
}
