package io.polytable.redis;

import static io.polytable.redis.DumpCase.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.DumpFormat.Version;
import io.polytable.redis.model.dump.Dumps;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What DUMP answers here a redis-server restores, and the other way round; the bytes are its own where they follow from the value. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DumpPeerTest {
    private static final int IDLE = 2;

    private RedisPeer peer;
    private RedisInProcess ours;

    @BeforeAll
    void startPeer(@TempDir Path directory) throws IOException {
        Program.REDIS_SERVER.require();
        peer = RedisPeer.start(directory);
    }

    @AfterAll
    void stopPeer() throws IOException {
        if (peer != null) {
            peer.close();
        }
    }

    @BeforeEach
    void empty() {
        ours = new RedisInProcess(InstantSource.system());
        peer.run(words("flushall"));
        peer.run(words("config", "set", "rdbcompression", "yes", "sanitize-dump-payload", "yes"));
    }

    static Stream<DumpCase> cases() {
        return DumpCase.all().stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void restoresWhatRedisDumped(DumpCase value) {
        value.commands().forEach(peer::run);
        Bytes payload = (Bytes) peer.run(words("dump", "k"));
        assertThat(ours.run(restore(payload))).isEqualTo("OK");
        assertSame(peer::run, ours::run);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void redisRestoresWhatIsDumpedHere(DumpCase value) {
        value.commands().forEach(ours::run);
        for (boolean compresses : List.of(true, false)) {
            peer.run(words("del", "k"));
            assertThat(peer.run(restore(dump(compresses)))).isEqualTo("OK");
            assertSame(peer::run, ours::run);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void restoresWhatIsDumpedHere(DumpCase value) {
        value.commands().forEach(ours::run);
        RedisInProcess other = new RedisInProcess(InstantSource.system());
        Bytes payload = (Bytes) ours.run("dump", "k");
        assertThat(other.run(restore(payload))).isEqualTo("OK");
        assertSame(ours::run, other::run);
        if (value.sameBytes()) {
            assertThat(other.run("dump", "k")).isEqualTo(payload);
        }
    }

    static Stream<DumpCase> casesOfKnownBytes() {
        return cases().filter(DumpCase::sameBytes);
    }

    /** Without compression, whose outcome Redis leaves to chance. */
    @ParameterizedTest
    @MethodSource("casesOfKnownBytes")
    void dumpsTheBytesOfRedis(DumpCase value) {
        peer.run(words("config", "set", "rdbcompression", "no"));
        value.commands().forEach(peer::run);
        value.commands().forEach(ours::run);
        assertThat(dump(false)).isEqualTo(peer.run(words("dump", "k")));
    }

    /** As a Redis 7.0 can read it, which the peer may be. */
    private Bytes dump(boolean compresses) {
        UnitOfWork unit = ours.keyspace().newUnit();
        unit.begin(System.currentTimeMillis(), false);
        DumpFormat format = new DumpFormat(Version.OF_7_0, PackingLimits.STANDARD, compresses);
        return new Dumps().dump(unit.space(0), Bytes.utf8("k"), format).orElseThrow();
    }

    private static List<Bytes> restore(Bytes payload) {
        List<Bytes> words = new ArrayList<>(words("restore", "k", "0"));
        words.add(payload);
        return words;
    }

    private static void assertSame(Function<List<Bytes>, Object> theirs, Function<List<Bytes>, Object> ours) {
        String type = (String) theirs.apply(words("type", "k"));
        assertThat(ours.apply(words("type", "k"))).isEqualTo(type);
        for (List<Bytes> question : questions(type)) {
            Object expected = told(question, theirs.apply(question));
            Object answer = told(question, ours.apply(question));
            assertThat(PlainReply.same(answer, expected))
                    .as("%s%nthere %s%nhere  %s", question, expected, answer)
                    .isTrue();
        }
    }

    private static List<List<Bytes>> questions(String type) {
        return switch (type) {
            case "string" -> List.of(words("get", "k"), words("object", "encoding", "k"));
            case "list" -> List.of(words("lrange", "k", "0", "-1"), words("llen", "k"), words("lindex", "k", "-1"));
            case "set" -> List.of(words("smembers", "k"), words("scard", "k"));
            case "zset" ->
                List.of(
                        words("zrange", "k", "0", "-1", "withscores"),
                        words("object", "encoding", "k"),
                        words("zcount", "k", "-inf", "1"));
            case "hash" -> List.of(words("hgetall", "k"), words("object", "encoding", "k"), words("hlen", "k"));
            case "stream" ->
                List.of(
                        words("xrange", "k", "-", "+"),
                        words("xinfo", "stream", "k"),
                        words("xinfo", "groups", "k"),
                        words("xpending", "k", "first"),
                        words("xpending", "k", "first", "-", "+", "100"));
            default -> throw new AssertionError(type);
        };
    }

    /** Without an order that nobody promises, and without times that continue. */
    private static Object told(List<Bytes> question, Object reply) {
        String name = question.get(0).utf8();
        if (!(reply instanceof List<?> items)) {
            return reply;
        }
        if (name.equals("smembers")) {
            return items.stream().sorted(Comparator.comparing(Object::toString)).toList();
        }
        if (name.equals("hgetall")) {
            List<List<?>> pairs = new ArrayList<>();
            for (int i = 0; i < items.size(); i += 2) {
                pairs.add(items.subList(i, i + 2));
            }
            return pairs.stream().sorted(Comparator.comparing(Object::toString)).toList();
        }
        if (name.equals("xpending") && question.size() > 3) {
            return items.stream().map(item -> without((List<?>) item, IDLE)).toList();
        }
        return items;
    }

    private static List<?> without(List<?> items, int index) {
        List<Object> rest = new ArrayList<>(items);
        rest.remove(index);
        return rest;
    }
}
