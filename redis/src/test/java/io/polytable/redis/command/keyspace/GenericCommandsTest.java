package io.polytable.redis.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.introspection.ObjectCommands;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the generic commands answer, as Redis 7 was seen to answer it. */
class GenericCommandsTest {
    private static final String INDEX = "ERR DB index is out of range";

    private long nowMillis = 1_700_000_000_000L;
    private final Keyspace keyspace = Keyspace.open(new MemoryStore());
    private final UnitOfWork unit = keyspace.newUnit();
    private final Session session = Session.detached();
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(List.of(
                    new KeyCommands(),
                    new ExpiryCommands(),
                    new ScanCommands(() -> new Random(1)),
                    new DatabaseCommands(),
                    new ObjectCommands(new RedisConfig(), nowMillis))),
            keyspace,
            () -> Instant.ofEpochMilli(nowMillis));

    /** The reply in a form that is easy to compare: an error as its line, a list as a Java list. */
    private Object run(String... words) {
        return plain(dispatcher.run(session, words));
    }

    private static Object plain(Reply reply) {
        if (reply instanceof Reply.Failure failure) {
            return failure.error().code() + " " + failure.error().text();
        }
        if (reply instanceof Reply.Int number) {
            return number.value();
        }
        if (reply instanceof Reply.Bulk bulk) {
            return bulk.value().utf8();
        }
        if (reply instanceof Reply.Simple simple) {
            return simple.text();
        }
        if (reply instanceof Reply.Many many) {
            return many.items().stream().map(GenericCommandsTest::plain).toList();
        }
        if (reply instanceof Reply.Bulks bulks) {
            return bulks.values().stream().map(Bytes::utf8).toList();
        }
        return reply.toString();
    }

    private void string(String key, String value) {
        unit.begin(nowMillis, true);
        unit.space(0).putString(Bytes.utf8(key), Bytes.utf8(value), Header.NEVER);
        unit.commit();
    }

    private void hash(String key, String field, String value) {
        unit.begin(nowMillis, true);
        Space space = unit.space(0);
        CollectionHeader hash = space.collectionOrNew(Bytes.utf8(key), Type.HASH);
        space.elements(hash, ElementKind.HASH_FIELD).put(Bytes.utf8(field), Bytes.utf8(value));
        space.put(Bytes.utf8(key), hash.withSize(hash.size() + 1));
        unit.commit();
    }

    @Test
    void deletesAndCounts() {
        string("a", "1");
        hash("h", "f", "v");

        assertThat(run("exists", "a", "a", "h", "x")).isEqualTo(3L);
        assertThat(run("touch", "a", "x")).isEqualTo(1L);
        assertThat(run("type", "a")).isEqualTo("string");
        assertThat(run("type", "h")).isEqualTo("hash");
        assertThat(run("type", "x")).isEqualTo("none");
        assertThat(run("dbsize")).isEqualTo(2L);
        assertThat(run("del", "a", "a", "x")).isEqualTo(1L);
        assertThat(run("unlink", "h")).isEqualTo(1L);
        assertThat(run("dbsize")).isEqualTo(0L);
        assertThat(run("del")).isEqualTo("ERR wrong number of arguments for 'del' command");
    }

    @Test
    void setsDeadlinesUnderConditions() {
        string("a", "1");

        assertThat(run("ttl", "x")).isEqualTo(-2L);
        assertThat(run("ttl", "a")).isEqualTo(-1L);
        assertThat(run("expire", "x", "10")).isEqualTo(0L);
        assertThat(run("expire", "a", "10", "xx")).isEqualTo(0L);
        assertThat(run("expire", "a", "10", "gt")).isEqualTo(0L);
        assertThat(run("expire", "a", "20", "lt")).isEqualTo(1L);
        assertThat(run("expire", "a", "10", "NX")).isEqualTo(0L);
        assertThat(run("expire", "a", "20", "GT")).isEqualTo(0L);
        assertThat(run("expire", "a", "30", "xx", "gt")).isEqualTo(1L);
        assertThat(run("pttl", "a")).isEqualTo(30_000L);
        assertThat(run("expiretime", "a")).isEqualTo(1_700_000_030L);
        assertThat(run("pexpiretime", "a")).isEqualTo(1_700_000_030_000L);
        nowMillis += 501;
        assertThat(run("ttl", "a")).isEqualTo(29L);
        assertThat(run("persist", "a")).isEqualTo(1L);
        assertThat(run("persist", "a")).isEqualTo(0L);
        assertThat(run("expireat", "a", "1")).isEqualTo(1L);
        assertThat(run("exists", "a")).isEqualTo(0L);
    }

    @Test
    void refusesDeadlinesThatMakeNoSense() {
        String together = "ERR NX and XX, GT or LT options at the same time are not compatible";

        assertThat(run("expire", "a", "x")).isEqualTo("ERR value is not an integer or out of range");
        assertThat(run("expire", "a", "1", "nx", "gt")).isEqualTo(together);
        assertThat(run("expire", "a", "1", "lt", "gt"))
                .isEqualTo("ERR GT and LT options at the same time are not compatible");
        assertThat(run("expire", "a", "1", "ab")).isEqualTo("ERR Unsupported option ab");
        assertThat(run("expire", "a", "9223372036854775")).isEqualTo("ERR invalid expire time in 'expire' command");
        assertThat(run("pexpire", "a", "9223372036854775807"))
                .isEqualTo("ERR invalid expire time in 'pexpire' command");
        assertThat(run("pexpireat", "a", "9223372036854775807")).isEqualTo(0L);
        string("a", "1");
        assertThat(run("pexpireat", "a", "9223372036854775807")).isEqualTo(1L);
        assertThat(run("pexpiretime", "a")).isEqualTo(Long.MAX_VALUE);
        assertThat(run("expiretime", "a")).isEqualTo(9223372036854776L);
    }

    @Test
    void renames() {
        hash("h", "f", "v");
        string("a", "1");

        assertThat(run("rename", "x", "y")).isEqualTo("ERR no such key");
        assertThat(run("renamenx", "h", "a")).isEqualTo(0L);
        assertThat(run("renamenx", "h", "h")).isEqualTo(0L);
        assertThat(run("rename", "h", "h")).isEqualTo("OK");
        assertThat(run("rename", "h", "a")).isEqualTo("OK");
        assertThat(run("type", "a")).isEqualTo("hash");
        assertThat(run("exists", "h")).isEqualTo(0L);
        assertThat(run("renamenx", "a", "b")).isEqualTo(1L);
        assertThat(run("dbsize")).isEqualTo(1L);
    }

    @Test
    void movesAndCopiesBetweenDatabases() {
        hash("h", "f", "v");
        String same = "ERR source and destination objects are the same";

        assertThat(run("move", "h", "0")).isEqualTo(same);
        assertThat(run("move", "h", "16")).isEqualTo(INDEX);
        assertThat(run("move", "h", "x")).isEqualTo("ERR value is not an integer or out of range");
        assertThat(run("move", "h", "2147483648"))
                .isEqualTo("ERR value is out of range, value must between -2147483648 and 2147483647");
        assertThat(run("copy", "h", "h")).isEqualTo(same);
        assertThat(run("copy", "h", "g", "db", "16")).isEqualTo(INDEX);
        assertThat(run("copy", "h", "g", "db")).isEqualTo("ERR syntax error");
        assertThat(run("copy", "h", "h", "db", "3", "REPLACE")).isEqualTo(1L);
        assertThat(run("copy", "h", "h", "db", "3")).isEqualTo(0L);
        assertThat(run("copy", "x", "y")).isEqualTo(0L);
        assertThat(run("move", "h", "3")).isEqualTo(0L);
        assertThat(run("move", "h", "15")).isEqualTo(1L);
        assertThat(run("move", "h", "15")).isEqualTo(0L);
        session.select(15);
        assertThat(run("dbsize")).isEqualTo(1L);
    }

    @Test
    void scans() {
        Set<Object> keys = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            string("key:" + i, "v");
            keys.add("key:" + i);
        }
        hash("other", "f", "v");

        assertThat(walk("match", "key:*", "count", "7")).isEqualTo(keys);
        assertThat(walk("type", "STRING")).isEqualTo(keys);
        assertThat(walk("type", "hash")).isEqualTo(Set.of("other"));
        assertThat(walk("type", "nothing")).isEmpty();
        assertThat((List<?>) run("keys", "key:*")).hasSize(50);
        keys.add("other");
        assertThat(keys).contains(run("randomkey"));
        assertThat(run("scan", "x")).isEqualTo("ERR invalid cursor");
        assertThat(run("scan", "18446744073709551616")).isEqualTo("ERR invalid cursor");
        assertThat(run("scan", "18446744073709551615")).isEqualTo(List.of("0", List.of()));
        assertThat(run("scan", "0", "count", "0")).isEqualTo("ERR syntax error");
        assertThat(run("scan", "0", "count", "x")).isEqualTo("ERR value is not an integer or out of range");
        assertThat(run("scan", "0", "count")).isEqualTo("ERR syntax error");
        assertThat(run("scan", "0", "novalues", "1")).isEqualTo("ERR syntax error");
    }

    private Set<Object> walk(String... options) {
        Set<Object> found = new HashSet<>();
        Object cursor = "0";
        do {
            String[] words = new String[options.length + 2];
            words[0] = "scan";
            words[1] = (String) cursor;
            System.arraycopy(options, 0, words, 2, options.length);
            List<?> page = (List<?>) run(words);
            found.addAll((List<?>) page.get(1));
            cursor = page.get(0);
        } while (!cursor.equals("0"));
        return found;
    }

    @Test
    void flushesAndSwaps() {
        string("a", "1");

        assertThat(run("swapdb", "0", "1")).isEqualTo("OK");
        assertThat(run("dbsize")).isEqualTo(0L);
        assertThat(run("swapdb", "x", "1")).isEqualTo("ERR invalid first DB index");
        assertThat(run("swapdb", "1", "99999999999")).isEqualTo("ERR invalid second DB index");
        assertThat(run("swapdb", "1", "16")).isEqualTo(INDEX);
        string("b", "1");
        assertThat(run("flushdb", "later")).isEqualTo("ERR syntax error");
        assertThat(run("flushdb", "ASYNC")).isEqualTo("OK");
        assertThat(run("exists", "b")).isEqualTo(0L);
        session.select(1);
        assertThat(run("exists", "a")).isEqualTo(1L);
        assertThat(run("flushall")).isEqualTo("OK");
        assertThat(run("dbsize")).isEqualTo(0L);
        assertThat(run("randomkey")).isEqualTo(Reply.ABSENT.toString());
    }

    @Test
    void tellsWhatRedisWouldTellOfObjects() {
        string("int", "12");
        string("short", "abc");
        string("long", "x".repeat(45));
        hash("h", "f", "v");

        assertThat(run("object", "encoding", "int")).isEqualTo("int");
        assertThat(run("object", "encoding", "short")).isEqualTo("embstr");
        assertThat(run("object", "encoding", "long")).isEqualTo("raw");
        assertThat(run("object", "encoding", "h")).isEqualTo("listpack");
        hash("h", "g", "v".repeat(65));
        assertThat(run("object", "encoding", "h")).isEqualTo("hashtable");
        assertThat(run("object", "refcount", "int")).isEqualTo(2147483647L);
        assertThat(run("object", "refcount", "h")).isEqualTo(1L);
        assertThat(run("object", "idletime", "h")).isEqualTo(0L);
        assertThat(run("object", "encoding", "x")).isEqualTo(Reply.ABSENT.toString());
        assertThat((String) run("object", "freq", "h")).startsWith("ERR An LFU maxmemory policy is not selected");
        assertThat((List<?>) run("object", "help")).hasSize(15);
        assertThat(run("object", "freq")).isEqualTo("ERR wrong number of arguments for 'object|freq' command");
    }
}
