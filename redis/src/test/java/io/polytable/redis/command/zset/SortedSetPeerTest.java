package io.polytable.redis.command.zset;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.introspection.ObjectCommands;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.zset.RandomElements;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same random history to a real redis-server and to the commands here: every reply is the same. */
@Tag("peers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SortedSetPeerTest {
    private static final int STEPS = 4_000;

    private RedisPeer peer;

    @BeforeAll
    void startPeer(@TempDir Path directory) throws IOException {
        peer = RedisPeer.start(directory);
    }

    @AfterAll
    void stopPeer() throws IOException {
        peer.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void answersAsRedisDoes(long seed) {
        int protocol = seed % 2 == 0 ? 2 : 3;
        Session session = Session.detached();
        session.speak(protocol);
        Keyspace keyspace = Keyspace.open(new MemoryStore());
        Dispatcher dispatcher = dispatcher(keyspace);
        peer.run(words("hello", Integer.toString(protocol)));
        peer.run(words("flushall"));
        peer.run(words("set", "text", "value"));
        UnitOfWork unit = keyspace.newUnit();
        unit.begin(0, true);
        unit.space(0).putString(Bytes.utf8("text"), Bytes.utf8("value"), Header.NEVER);
        unit.commit();
        SortedSetHistory history = new SortedSetHistory(seed);
        for (int step = 0; step < STEPS; step++) {
            List<Bytes> words = history.next();
            if (!is72(words)) {
                both(dispatcher, session, words, "seed " + seed + ", step " + step);
            }
        }
    }

    /** ZRANK WITHSCORE came with 7.2, which the peer may be older than. */
    private static boolean is72(List<Bytes> words) {
        String name = words.get(0).utf8();
        return name.endsWith("rank") && !name.startsWith("zrem") && words.size() > 3;
    }

    private void both(Dispatcher dispatcher, Session session, List<Bytes> words, String where) {
        Object theirs = peer.run(words);
        Object ours = PlainReply.of(dispatcher.run(session, words.toArray(Bytes[]::new)), session.protocol());
        assertThat(PlainReply.same(ours, theirs))
                .as("%s: %s%nours   %s%ntheirs %s", where, words, ours, theirs)
                .isTrue();
    }

    private static List<Bytes> words(String... words) {
        return List.of(words).stream().map(Bytes::utf8).toList();
    }

    private static Dispatcher dispatcher(Keyspace keyspace) {
        SortedSets sets = new SortedSets();
        return new Dispatcher(
                CommandTable.of(List.of(
                        new KeyCommands(),
                        new ObjectCommands(new RedisConfig(), 0),
                        new SortedSetCommands(sets, new RandomElements(() -> new Random(1))),
                        new SortedSetRangeCommands(sets),
                        new SortedSetAlgebraCommands(sets))),
                keyspace,
                InstantSource.system());
    }
}
