package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.RedisPeer;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DEBUG here and on a redis-server; above all, the same data has the same digest. */
class DebugPeerTest {
    private static final List<String> WRITES = List.of(
            "set K V",
            "set K 12345",
            "set K V ex 100000",
            "append K V",
            "setrange K 20000 V",
            "rpush K V W 7",
            "lpush K V",
            "linsert K before V x",
            "lrem K 1 V",
            "sadd K V W 3",
            "srem K V",
            "hset K V W f 1",
            "hdel K V",
            "zadd K 1 V 1.5 W -inf x",
            "zadd K 0.1 V 3e300 y",
            "zrem K V",
            "xadd K 1700000000000-* V W",
            "xtrim K maxlen 3",
            "expire K 100000",
            "persist K",
            "rename K L",
            "copy K L",
            "move K 1",
            "pfadd K V W",
            "geoadd K 13.361389 38.115556 V",
            "setbit K 70000 1",
            "del K");

    @TempDir
    Path directory;

    private final Random random = new Random(3);

    private List<Bytes> write() {
        String text = WRITES.get(random.nextInt(WRITES.size()));
        return Stream.of(text.split(" ", -1)).map(this::word).toList();
    }

    private Bytes word(String word) {
        return switch (word) {
            case "K", "L" -> Bytes.utf8("key" + random.nextInt(12));
            case "V", "W" -> Bytes.utf8(random.nextInt(20) == 0 ? "long".repeat(200) : "v" + random.nextInt(30));
            case "1700000000000-*" -> Bytes.utf8((1_700_000_000_000L + random.nextInt(100)) + "-" + random.nextInt(3));
            default -> Bytes.utf8(word);
        };
    }

    @Test
    void theSameDataHasTheSameDigest() throws IOException {
        Program.REDIS_SERVER.require();
        try (RedisPeer peer = RedisPeer.start(directory)) {
            RedisInProcess ours = RedisInProcess.withDebug(InstantSource.system());
            List<Bytes> digest = words("debug", "digest");
            assertThat(ours.run(digest)).isEqualTo(peer.run(digest));
            for (int i = 1; i <= 1500; i++) {
                List<Bytes> write = write();
                assertThat(PlainReply.same(ours.run(write), peer.run(write)))
                        .as("%s", write)
                        .isTrue();
                if (i % 10 == 0) {
                    assertThat(ours.run(digest)).as("after %d writes", i).isEqualTo(peer.run(digest));
                    List<Bytes> one = words("debug", "digest-value", "key1", "key2", "absent");
                    assertThat(ours.run(one)).isEqualTo(peer.run(one));
                }
            }
        }
    }

    @Test
    void answersAsRedis() throws IOException {
        Program.REDIS_SERVER.require();
        List<String> differences = new ArrayList<>();
        try (RedisPeer peer = RedisPeer.start(directory)) {
            RedisInProcess ours = RedisInProcess.withDebug(InstantSource.system());
            for (String line : List.of(
                    "debug nope",
                    "debug set-active-expire 0",
                    "debug set-active-expire 1",
                    "debug error MYCODE_and_text",
                    "debug quicklist-packed-threshold 100b",
                    "debug log message",
                    "debug object absent",
                    "debug listpack absent",
                    "rpush l 1 2 3",
                    "set s x",
                    "debug listpack s",
                    "debug protocol string",
                    "debug protocol integer",
                    "debug protocol array",
                    "debug protocol null",
                    "debug protocol bignum",
                    "debug protocol true",
                    "debug protocol nope",
                    "debug populate 20",
                    "debug populate 5 other 12",
                    "debug populate x",
                    "get key:7",
                    "get other:4",
                    "dbsize",
                    "debug digest")) {
                List<Bytes> words = words(line.split(" ", -1));
                Object expected = peer.run(words);
                Object actual = ours.run(words);
                if (!PlainReply.same(actual, expected)) {
                    differences.add(line + "\n   redis " + expected + "\n   ours  " + actual);
                }
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
    }

    private static List<Bytes> words(String... words) {
        return Stream.of(words).map(Bytes::utf8).toList();
    }
}
