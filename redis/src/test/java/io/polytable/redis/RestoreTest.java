package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.Origin;
import io.polytable.table.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What RESTORE tells others, and what it makes of hostile payloads. */
class RestoreTest {
    private final long nowMillis = 1_700_000_000_000L;
    private final RedisInProcess redis = new RedisInProcess(() -> Instant.ofEpochMilli(nowMillis));

    @Test
    void publishesTheEventsOfRedis() {
        redis.run("rpush", "l", "1", "2");
        Bytes payload = dump("l");
        List<String> events = new ArrayList<>();
        KeyChanges.Subscription subscription = redis.keyspace().changes().subscribe(new ChangeListener() {
            @Override
            public void committed(Unit unit) {
                unit.changes().forEach(change -> {
                    Change.Key key = (Change.Key) change;
                    events.add(key.event().name() + " " + key.key().utf8());
                });
            }

            @Override
            public void missed(int database, Bytes key, Origin origin) {}
        });
        subscription.wantChanges(true);

        assertThat(restore("r1", "0", payload)).isEqualTo("OK");
        assertThat(events).containsExactly("new r1", "restore r1");
        events.clear();
        assertThat(restore("r1", "0", payload)).isEqualTo("error: BUSYKEY Target key name already exists.");
        assertThat(events).isEmpty();
        assertThat(restore("r1", "0", payload, "replace")).isEqualTo("OK");
        assertThat(events).containsExactly("new r1", "restore r1");
        events.clear();
        assertThat(restore("r2", "1000", payload)).isEqualTo("OK");
        assertThat(events).containsExactly("new r2", "restore r2");
        assertThat(redis.run("pttl", "r2")).isEqualTo(1000L);
        events.clear();
        assertThat(restore("r2", "1", payload, "absttl", "replace")).isEqualTo("OK");
        assertThat(events).containsExactly("del r2");
        events.clear();
        assertThat(restore("r3", "1", payload, "absttl")).isEqualTo("OK");
        assertThat(events).isEmpty();
    }

    @Test
    void aWatchedKeyThatIsRestoredStopsATransaction() {
        redis.run("set", "k", "v");
        Bytes payload = dump("k");
        redis.run("watch", "k");
        restore("k", "0", payload, "replace");
        redis.run("multi");
        redis.run("get", "k");
        assertThat(redis.run("exec")).isEqualTo("absent array");
    }

    /** Every single changed byte, and every cut, with a true checksum: an answer in words, never a failure of ours. */
    @Test
    void damagedPayloadsAreRefusedOrHoldSomething() {
        for (DumpCase value : DumpCase.all()) {
            redis.run("flushall");
            value.commands().forEach(redis::run);
            Bytes payload = dump("k");
            if (payload.length() > 3000) {
                continue;
            }
            Random random = new Random(7);
            for (int i = 0; i < 60; i++) {
                byte[] damaged = payload.toByteArray();
                int at = random.nextInt(damaged.length - 10);
                damaged[at] = (byte) random.nextInt(256);
                int length = i % 5 == 0 ? random.nextInt(damaged.length - 10) : damaged.length - 10;
                Bytes sealed = Sealed.of(Bytes.of(damaged, 0, length), 11);
                Object answer = restore("damaged", "0", sealed, "replace");
                assertThat(answer).as("%s, byte %d", value, at).isIn("OK", "error: ERR Bad data format");
                if (answer.equals("OK")) {
                    assertThat(redis.run("dump", "damaged"))
                            .as("%s, byte %d", value, at)
                            .isInstanceOf(Bytes.class);
                    assertThat(redis.run("del", "damaged")).isEqualTo(1L);
                }
            }
        }
    }

    @Test
    void lengthsThatCannotBeAreRefusedBeforeAnythingIsMadeOfThem() {
        String huge = "\u0081\u007f\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff";
        for (String value : List.of(
                "\0" + huge,
                "\u0001" + huge,
                "\u0002" + huge,
                "\u0004" + huge,
                "\u0005" + huge,
                "\u000e" + huge,
                "\u0012" + huge,
                "\u0015" + huge,
                "\0\u00c3\u0003" + huge + "abc",
                "\0\u00c3" + huge + "\u0005abc",
                "\u0015\0\0\0\0\0\0\0\0\0" + huge)) {
            byte[] bytes = value.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(restore("k", "0", Sealed.of(Bytes.of(bytes), 11))).isEqualTo("error: ERR Bad data format");
        }
    }

    @Test
    void aLaterVersionIsRefused() {
        Bytes value = Bytes.of(new byte[] {0, 1, 'v'});
        assertThat(restore("k", "0", Sealed.of(value, 12)))
                .isEqualTo("error: ERR DUMP payload version or checksum are wrong");
        assertThat(restore("k", "0", Sealed.of(value, 11))).isEqualTo("OK");
    }

    @Test
    void setsAndStreamsOf72AreRead() {
        redis.run("sadd", "s", "a", "b");
        assertThat(dump("s").at(0)).isEqualTo((byte) 20);
        redis.run("xadd", "x", "1-1", "a", "b");
        assertThat(dump("x").at(0)).isEqualTo((byte) 21);
    }

    private Bytes dump(String key) {
        return (Bytes) redis.run("dump", key);
    }

    private Object restore(String key, String life, Bytes payload, String... options) {
        List<Bytes> words = new ArrayList<>(DumpCase.words("restore", key, life));
        words.add(payload);
        words.addAll(DumpCase.words(options));
        return redis.run(words);
    }
}
