package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small hashes and sets list their elements in Redis' order. */
class InsertionOrderTest {
    private static final int STEPS = 400;
    private static final String LONG = "x".repeat(65);

    private final RedisInProcess redis = new RedisInProcess(InstantSource.system());

    /** Sets of texts are compared below: this peer, 7.0, has no packed form of them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void hashesAndSetsOfIntegersAreListedAsTheReferenceListsThem(long seed, @TempDir Path directory)
            throws IOException {
        Program.REDIS_SERVER.require();
        Random random = new Random(seed);
        redis.run("config", "set", "rdbcompression", "no");
        try (RedisPeer peer = RedisPeer.start(directory, "--rdbcompression", "no")) {
            for (int i = 0; i < STEPS; i++) {
                String[] step = step(random);
                assertThat(redis.run(step))
                        .as("seed %d, %s", seed, List.of(step))
                        .isEqualTo(peer.run(step));
                if (random.nextInt(8) == 0) {
                    restore(peer, "h" + random.nextInt(3));
                }
                for (String[] question : questions()) {
                    if (isPacked(peer, question[1])) {
                        assertThat(redis.run(question))
                                .as("seed %d, step %d, %s: %s", seed, i, List.of(step), List.of(question))
                                .isEqualTo(peer.run(question));
                    }
                }
            }
        }
    }

    private static boolean isPacked(RedisPeer peer, String key) {
        return peer.run("object", "encoding", key) instanceof Bytes encoding
                && List.of("listpack", "intset").contains(encoding.utf8());
    }

    private static String[] step(Random random) {
        String hash = "h" + random.nextInt(3);
        String other = "h" + random.nextInt(3);
        String field = "f" + random.nextInt(12);
        String set = "s" + random.nextInt(3);
        String[] sets = {set, "s" + random.nextInt(3), "s" + random.nextInt(3)};
        return switch (random.nextInt(15)) {
            case 0, 1, 2 -> words("hset", hash, field, "1", "f" + random.nextInt(12), "2", "g", "3");
            case 3 -> words("hset", hash, field, "1");
            case 4, 5 -> words("hdel", hash, field, "f" + random.nextInt(12));
            case 6 -> words("hsetnx", hash, field, "5");
            case 7 -> words("hincrby", hash, field, "2");
            case 8 -> random.nextInt(9) == 0 ? words("hset", hash, field, LONG) : words("del", hash);
            case 9 -> words("copy", hash, other, "replace");
            case 10, 11 ->
                words("sadd", set, Integer.toString(random.nextInt(50) - 9), Integer.toString(random.nextInt(1000)));
            case 12 -> words("srem", set, Integer.toString(random.nextInt(50) - 9));
            case 13 -> words("smove", sets[0], sets[1], Integer.toString(random.nextInt(50)));
            default ->
                words(
                        List.of("sunionstore", "sinterstore", "sdiffstore").get(random.nextInt(3)),
                        sets[0],
                        sets[1],
                        sets[2]);
        };
    }

    private static List<String[]> questions() {
        List<String[]> questions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            questions.add(words("hgetall", "h" + i));
            questions.add(words("hkeys", "h" + i));
            questions.add(words("hvals", "h" + i));
            questions.add(words("hscan", "h" + i, "0"));
            questions.add(words("hrandfield", "h" + i, "1000", "withvalues"));
            questions.add(words("smembers", "s" + i));
            questions.add(words("sscan", "s" + i, "0"));
            questions.add(words("srandmember", "s" + i, "1000"));
        }
        for (String name : List.of("sunion", "sinter", "sdiff")) {
            questions.add(words(name, "s0", "s1"));
            questions.add(words(name, "s2", "s1", "s0"));
        }
        return questions;
    }

    /** By the payload of either. */
    private void restore(RedisPeer peer, String key) {
        if (peer.run("dump", key) instanceof Bytes theirs && redis.run("dump", key) instanceof Bytes ours) {
            List<Bytes> words = List.of(Bytes.utf8("restore"), Bytes.utf8(key), Bytes.utf8("0"));
            Bytes replace = Bytes.utf8("replace");
            assertThat(redis.run(append(words, theirs, replace))).hasToString("OK");
            if (isPacked(peer, key)) {
                assertThat(value(ours)).as("the packed form of %s", key).isEqualTo(value(theirs));
            }
        }
    }

    /** Without the version and the checksum. */
    private static Bytes value(Bytes payload) {
        return payload.slice(0, payload.length() - 10);
    }

    private static List<Bytes> append(List<Bytes> words, Bytes... more) {
        List<Bytes> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    private static String[] words(String... words) {
        return words;
    }

    @Test
    void aSetIsAscendingUntilItHasATextAndThenAsAdded() {
        redis.run("sadd", "s", "30", "4", "100");
        assertThat(members("s")).isEqualTo("4 30 100");
        redis.run("sadd", "s", "5", "text", "2", "a");
        assertThat(members("s")).isEqualTo("4 5 30 100 text 2 a");
        redis.run("srem", "s", "30", "text");
        redis.run("sadd", "s", "30", "text");
        assertThat(members("s")).isEqualTo("4 5 100 2 a 30 text");
        assertThat(texts(redis.run("srandmember", "s", "100"))).isEqualTo("4 5 100 2 a 30 text");
        assertThat(texts(((List<?>) redis.run("sscan", "s", "0")).get(1))).isEqualTo("4 5 100 2 a 30 text");
        redis.run("copy", "s", "t");
        redis.run("rename", "t", "u");
        assertThat(members("u")).isEqualTo("4 5 100 2 a 30 text");
        assertThat(redis.run(append(List.of(Bytes.utf8("restore"), Bytes.utf8("v"), Bytes.utf8("0")), dumped("u"))))
                .hasToString("OK");
        assertThat(members("v")).isEqualTo("4 5 100 2 a 30 text");
        assertThat(texts(redis.run("spop", "v", "10"))).isEqualTo("4 5 100 2 a 30 text");
    }

    private Bytes dumped(String key) {
        return (Bytes) redis.run("dump", key);
    }

    @Test
    void setsOfTextsAreCombinedInTheirOrder() {
        redis.run("sadd", "a", "z", "y", "3", "x", "1");
        redis.run("sadd", "b", "1", "x", "q", "z", "3", "w");
        assertThat(texts(redis.run("sinter", "b", "a"))).as("the smaller one's").isEqualTo("z 3 x 1");
        assertThat(texts(redis.run("sunion", "a", "b"))).isEqualTo("z y 3 x 1 q w");
        assertThat(texts(redis.run("sdiff", "b", "a"))).isEqualTo("q w");
        redis.run("sinterstore", "c", "b", "a");
        redis.run("sunionstore", "d", "a", "b");
        assertThat(members("c")).isEqualTo("z 3 x 1");
        assertThat(members("d")).isEqualTo("z y 3 x 1 q w");
        redis.run("smove", "d", "c", "y");
        assertThat(members("c")).isEqualTo("z 3 x 1 y");
        assertThat(members("d")).isEqualTo("z 3 x 1 q w");
    }

    @Test
    void aLargeCollectionHasEachElementOnceAndNoOrder() {
        run("sadd", "s", 129, "m");
        run("hset", "h", 1026, "f");
        assertThat(members("s").split(" ")).hasSize(129).doesNotHaveDuplicates();
        assertThat((List<?>) redis.run("hkeys", "h")).hasSize(513).doesNotHaveDuplicates();
        assertThat(header("s").fields().length()).isEqualTo(1);
        assertThat(header("h").fields().length()).isEqualTo(1);
        redis.run("config", "set", "hash-max-listpack-entries", "1000");
        run("hset", "i", 1026, "f");
        assertThat(encoding("i")).isEqualTo("listpack");
        assertThat(header("i").fields().length())
                .as("beyond 512 the order is not kept")
                .isEqualTo(1);
        redis.run("hdel", "i", "f0", "f2", "f4");
        redis.run("hset", "i", "more", "1");
        assertThat((List<?>) redis.run("hkeys", "i")).hasSize(511).doesNotHaveDuplicates();
    }

    /** Rows of versions before the order was kept. */
    @Test
    void collectionsWithoutAnOrderStayAsTheyAre() {
        redis.run("sadd", "s", "text", "2", "a");
        redis.run("hset", "h", "b", "1", "a", "2");
        replaceFields("s", Bytes.of(new byte[] {1}));
        replaceFields("h", Bytes.EMPTY);
        redis.run("sadd", "s", "more");
        redis.run("hset", "h", "more", "3", "a", "4");
        redis.run("srem", "s", "2");
        redis.run("hdel", "h", "b");
        assertThat(members("s").split(" ")).containsExactlyInAnyOrder("text", "a", "more");
        assertThat(texts(redis.run("hkeys", "h")).split(" ")).containsExactlyInAnyOrder("more", "a");
        assertThat(encoding("s")).isEqualTo("listpack");
        assertThat(encoding("h")).isEqualTo("listpack");
        redis.run("hset", "h", "long", LONG);
        redis.run("sadd", "s", LONG);
        assertThat(encoding("s")).isEqualTo("hashtable");
        assertThat(encoding("h")).isEqualTo("hashtable");
    }

    /** An older version that added elements knew nothing of the order. */
    @Test
    void anOrderThatIsNotThatOfTheElementsIsForgotten() {
        redis.run("hset", "h", "b", "1", "a", "2", "c", "3");
        CollectionHeader header = header("h");
        replaceFields("h", header.fields().slice(0, header.fields().length() - 4));
        assertThat((List<?>) redis.run("hkeys", "h")).hasSize(3).doesNotHaveDuplicates();
        redis.run("hset", "h", "d", "4");
        assertThat(header("h").fields().length()).isEqualTo(1);
        redis.run("hdel", "h", "a");
        assertThat(texts(redis.run("hkeys", "h")).split(" ")).containsExactlyInAnyOrder("b", "c", "d");
    }

    private String encoding(String key) {
        return ((Bytes) redis.run("object", "encoding", key)).utf8();
    }

    private CollectionHeader header(String key) {
        UnitOfWork unit = redis.keyspace().newUnit();
        unit.begin(0, true);
        return (CollectionHeader) unit.space(0).header(Bytes.utf8(key)).orElseThrow();
    }

    private void replaceFields(String key, Bytes fields) {
        UnitOfWork unit = redis.keyspace().newUnit();
        unit.begin(0, true);
        unit.space(0).put(Bytes.utf8(key), header(key).withFields(fields));
        unit.commit();
    }

    private void run(String name, String key, int count, String prefix) {
        List<Bytes> words = new ArrayList<>(List.of(Bytes.utf8(name), Bytes.utf8(key)));
        IntStream.range(0, count).forEach(i -> words.add(Bytes.utf8(prefix + i)));
        redis.run(words);
    }

    private String members(String key) {
        return texts(redis.run("smembers", key));
    }

    private static String texts(Object reply) {
        List<String> texts = new ArrayList<>();
        ((Iterable<?>) reply).forEach(each -> texts.add(((Bytes) each).utf8()));
        return String.join(" ", texts);
    }
}
