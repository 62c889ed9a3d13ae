package io.polytable.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.RedisPeer;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random rules and calls, here and on a redis-server. The reference is 7.0.15, so its texts are translated where 7.2
 * differs: it names the user in NOPERM and DRYRUN, has other errors in scripts, and shows command rules as they were given,
 * where 7.0 shows an equivalent; what they allow is compared by calls.
 */
class AclPeerTest {
    private static final List<String> RULES = List.of(
            "on",
            "on",
            "on",
            "off",
            "nopass",
            "resetpass",
            ">one",
            ">two",
            "<one",
            "<three",
            "#" + "a".repeat(64),
            "!" + "a".repeat(64),
            "#" + "A".repeat(64),
            "!" + "b".repeat(64),
            "#ab",
            "allkeys",
            "~*",
            "resetkeys",
            "resetkeys",
            "~a*",
            "~b?",
            "~[ab]1",
            "%R~r*",
            "%W~w*",
            "%RW~x*",
            "%rw~x1",
            "%R~w*",
            "%X~y",
            "%RR~y",
            "%R",
            "&*",
            "allchannels",
            "resetchannels",
            "resetchannels",
            "&c*",
            "&news",
            "+@all",
            "-@all",
            "allcommands",
            "nocommands",
            "+@read",
            "+@write",
            "-@write",
            "+@pubsub",
            "+@keyspace",
            "-@dangerous",
            "+@ALL",
            "+@Hash",
            "+@none",
            "-@none",
            "+get",
            "-get",
            "+GET",
            "+set",
            "-set",
            "+config",
            "-config",
            "+config|get",
            "-config|get",
            "+config|nix",
            "+config|",
            "+select|0",
            "+select|1",
            "-select",
            "+select",
            "-select|0",
            "+config|get|x",
            "+nix",
            "-nix",
            "+",
            "-",
            "+@",
            "~",
            "&",
            "%",
            "clearselectors",
            "(~a* +get)",
            "(%R~r* +@all)",
            "(+@read ~*)",
            "(&c* +publish)",
            "(~x",
            "+mget)",
            "(",
            ")",
            "()",
            "(+nix)",
            "(on)",
            "sanitize-payload",
            "skip-sanitize-payload",
            "",
            "wrong",
            "~a b",
            "&a b",
            "reset");

    private static final List<String> CALLS = List.of(
            "GET a1",
            "GET b1",
            "GET r1",
            "SET a1 v",
            "SET w1 v",
            "SET w1 v GET",
            "SET r1 v",
            "MSET a1 v w1 v",
            "MSET a1 v r1 v",
            "MGET r1 a1 zz",
            "COPY r1 w1",
            "COPY w1 r1",
            "RENAME a1 b1",
            "SORT r1",
            "SORT r1 STORE w1",
            "SORT w1 STORE r1",
            "SORT_RO r1",
            "EVAL return 1 a1",
            "EVAL return 1 1 a1",
            "EVAL return 1 1 r1",
            "EVAL_RO return 1 1 r1",
            "XREAD STREAMS r1 0",
            "XREAD STREAMS a1 zz 0 0",
            "XREADGROUP GROUP g c STREAMS x1 0",
            "ZUNIONSTORE w1 2 r1 a1",
            "ZUNIONSTORE r1 1 r1",
            "LMOVE r1 w1 LEFT LEFT",
            "LMOVE x1 w1 LEFT LEFT",
            "BLPOP a1 b1 0",
            "GEORADIUS r1 0 0 1 m STORE w1",
            "GEORADIUS r1 0 0 1 m",
            "GETEX r1",
            "GETEX x1",
            "GETDEL x1",
            "OBJECT ENCODING r1",
            "OBJECT HELP",
            "CONFIG GET x",
            "CONFIG SET a b",
            "CONFIG RESETSTAT",
            "SELECT 0",
            "SELECT 1",
            "SELECT",
            "PUBLISH c1 m",
            "PUBLISH news m",
            "PUBLISH d m",
            "SPUBLISH c1 m",
            "SUBSCRIBE c1 news",
            "SUBSCRIBE c1 d",
            "PSUBSCRIBE c*",
            "PSUBSCRIBE c1",
            "PSUBSCRIBE news",
            "SSUBSCRIBE c1",
            "PUNSUBSCRIBE d*",
            "UNSUBSCRIBE d",
            "AUTH x",
            "HELLO",
            "PING",
            "ECHO a",
            "FLUSHALL",
            "ACL WHOAMI",
            "ACL LIST",
            "ACL CAT",
            "BITFIELD r1 GET u8 0",
            "BITFIELD r1 SET u8 0 1",
            "BITFIELD x1 INCRBY u8 0 1",
            "BITFIELD_RO r1 GET u8 0",
            "DEL w1",
            "DEL r1",
            "UNLINK a1 w1",
            "HGET r1 f",
            "HSET w1 f v",
            "HSET r1 f v",
            "EXISTS r1",
            "TYPE r1",
            "EXPIRE w1 1",
            "TTL r1",
            "APPEND w1 x",
            "STRLEN r1",
            "LPOP x1",
            "LPUSH w1 v",
            "KEYS *",
            "SCAN 0",
            "DBSIZE",
            "NIX",
            "CONFIG NIX",
            "GET",
            "PFCOUNT r1",
            "PFMERGE w1 r1",
            "SINTERSTORE w1 r1",
            "SDIFFSTORE w1 r1 zz",
            "SMOVE r1 w1 m",
            "BITOP AND w1 r1 a1",
            "XADD w1 * f v",
            "XLEN r1",
            "MULTI",
            "EXEC",
            "WATCH r1",
            "DUMP r1");

    @TempDir
    Path directory;

    @Test
    void answersAsRedis() throws IOException {
        compare(40);
    }

    @Test
    @Tag("peers")
    void answersAsRedisInLongHistories() throws IOException {
        compare(2000);
    }

    private void compare(int histories) throws IOException {
        Program.REDIS_SERVER.require();
        List<String> differences = new ArrayList<>();
        try (RedisPeer peer = RedisPeer.start(directory)) {
            RedisInProcess ours = new RedisInProcess(InstantSource.system());
            for (int seed = 0; seed < histories && differences.size() < 20; seed++) {
                new History(peer, ours, new Random(seed), differences).run(seed);
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
    }

    private record History(RedisPeer peer, RedisInProcess ours, Random random, List<String> differences) {
        void run(int seed) {
            same(seed, List.of("ACL", "DELUSER", "u"));
            for (int i = 0; i < 12; i++) {
                List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "u"));
                for (int j = random.nextInt(4); j >= 0; j--) {
                    words.add(pick(RULES));
                }
                same(seed, words);
                same(seed, List.of("ACL", "GETUSER", "u"));
                for (int j = 0; j < 15; j++) {
                    same(
                            seed,
                            Stream.concat(
                                            Stream.of("ACL", "DRYRUN", "u"),
                                            Arrays.stream(pick(CALLS).split(" ", -1)))
                                    .toList());
                }
            }
            same(seed, List.of("ACL", "USERS"));
        }

        private String pick(List<String> items) {
            return items.get(random.nextInt(items.size()));
        }

        private void same(int seed, List<String> words) {
            List<Bytes> bytes = words.stream().map(Bytes::utf8).toList();
            Object expected = translated(words, peer.run(bytes));
            Object actual = withoutCommands(words, ours.run(bytes));
            if (!actual.equals(expected)) {
                differences.add("seed " + seed + ": " + words + "\n   redis " + expected + "\n   ours  " + actual);
            }
        }
    }

    private static Object translated(List<String> words, Object reply) {
        if (reply instanceof Bytes bytes) {
            String text = new String(bytes.toByteArray(), ISO_8859_1);
            return Bytes.utf8(text.replace("This user has", "User u has"));
        }
        return withoutCommands(words, reply);
    }

    /** GETUSER without the command rules, and without the flag that only 7.2 shows. */
    private static Object withoutCommands(List<String> words, Object reply) {
        if (!words.get(1).equals("GETUSER") || !(reply instanceof List<?> fields)) {
            return reply;
        }
        Set<Object> flags = new HashSet<>((List<?>) fields.get(1));
        flags.remove(Bytes.utf8("sanitize-payload"));
        List<Object> kept = new ArrayList<>(List.of(flags));
        kept.addAll(fields.subList(2, 4));
        kept.addAll(fields.subList(6, 10));
        for (Object selector : (List<?>) fields.get(11)) {
            List<?> own = (List<?>) selector;
            kept.add(own.subList(2, own.size()));
        }
        return kept;
    }

    @Test
    void showsCommandRulesInTheOrderGiven() {
        RedisInProcess ours = new RedisInProcess(InstantSource.system());
        Object unused = ours.run(
                "ACL", "SETUSER", "v", "on", ">pw", "+@read", "+set", "-get", "+GET", "+config|get", "+config");
        unused = ours.run("ACL", "SETUSER", "v", "~a*", "%R~r*", "&c", "+select|0", "(+@all -@write %W~w)");
        Object line = ((List<?>) ours.run("ACL", "LIST")).get(1);
        assertThat(line)
                .isEqualTo(Bytes.utf8("user v on sanitize-payload"
                        + " #30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c4 ~a* %R~r* resetchannels &c"
                        + " -@all +@read +set +get +config +select|0"
                        + " (%W~w resetchannels +@all -@write)"));
        assertThat(unused).isEqualTo("OK");
        assertThat(PlainReply.same(ours.run("ACL", "USERS"), List.of(Bytes.utf8("default"), Bytes.utf8("v"))))
                .isTrue();
    }
}
