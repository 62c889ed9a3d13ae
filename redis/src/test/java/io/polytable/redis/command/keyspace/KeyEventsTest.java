package io.polytable.redis.command.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.bitmap.BitmapCommands;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.geo.GeoCommands;
import io.polytable.redis.command.hash.HashCommands;
import io.polytable.redis.command.hyperloglog.HyperLogLogCommands;
import io.polytable.redis.command.list.ListCommands;
import io.polytable.redis.command.list.ListMoveCommands;
import io.polytable.redis.command.set.SetAlgebraCommands;
import io.polytable.redis.command.set.SetCommands;
import io.polytable.redis.command.stream.GroupCommands;
import io.polytable.redis.command.stream.PendingCommands;
import io.polytable.redis.command.stream.StreamCommands;
import io.polytable.redis.command.stream.StreamReadCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.command.zset.SortedSetAlgebraCommands;
import io.polytable.redis.command.zset.SortedSetCommands;
import io.polytable.redis.command.zset.SortedSetRangeCommands;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.hyperloglog.HyperLogLogs;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.set.RandomMembers;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.sort.Sorting;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.zset.RandomElements;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The events of changed keys are those that a real Redis published, in its order: golden/key-events.txt. */
class KeyEventsTest {
    private static final long WAIT_MILLIS = 50;

    private final List<String> events = new ArrayList<>();
    private final Keyspace keyspace = Keyspace.open(new MemoryStore());
    private long nowMillis = 1_000_000;
    private final Dispatcher dispatcher = dispatcher();
    private final Session session = Session.detached();

    @Test
    void areThoseOfRedis() throws IOException {
        KeyChanges.Subscription subscription = keyspace.changes().subscribe(new Recorder());
        subscription.wantChanges(true);
        subscription.wantMisses(true);
        List<String> expected = golden();
        List<String> ours = new ArrayList<>();
        for (String line : expected) {
            if (line.startsWith("> ")) {
                ours.add(line);
                run(line.substring(2));
                ours.addAll(events);
                events.clear();
            }
        }
        assertThat(ours).isEqualTo(expected);
    }

    private void run(String line) {
        if (line.equals("! wait")) {
            nowMillis += WAIT_MILLIS;
            return;
        }
        Bytes[] words = List.of(line.split(" ", -1)).stream()
                .map(word -> word.equals("\"\"") ? "" : word)
                .map(Bytes::utf8)
                .toArray(Bytes[]::new);
        Object unused = dispatcher.run(session, words);
    }

    private final class Recorder implements ChangeListener {
        @Override
        public void committed(Unit unit) {
            assertThat(unit.origin()).isSameAs(session);
            for (Change change : unit.changes()) {
                if (change instanceof Change.Key key) {
                    record(key.database(), key.key(), key.event());
                }
            }
        }

        @Override
        public void missed(int database, Bytes key, Origin origin) {
            record(database, key, KeyEvent.KEY_MISS);
        }

        private void record(int database, Bytes key, KeyEvent event) {
            assertThat(event.isNamed()).as("%s of %s", event, key).isTrue();
            events.add(event.name() + " " + key.utf8() + " " + database);
        }
    }

    private static List<String> golden() throws IOException {
        try (InputStream in = KeyEventsTest.class.getResourceAsStream("/golden/key-events.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    private Dispatcher dispatcher() {
        Lists lists = new Lists();
        Sets plainSets = new Sets();
        SortedSets sets = new SortedSets();
        Streams streams = new Streams(() -> NodeLimits.STANDARD);
        Groups groups = new Groups();
        return new Dispatcher(
                CommandTable.of(List.of(
                        new KeyCommands(),
                        new SortCommands(new Sorting(lists, plainSets, sets), () -> false),
                        new ExpiryCommands(),
                        new DatabaseCommands(),
                        new StringCommands(new Strings()),
                        new HashCommands(new Hashes(), new RandomFields(() -> new Random(1))),
                        new ListCommands(lists),
                        new ListMoveCommands(lists),
                        new SetCommands(plainSets, new RandomMembers(() -> new Random(1))),
                        new SetAlgebraCommands(plainSets),
                        new SortedSetCommands(sets, new RandomElements(() -> new Random(1))),
                        new SortedSetRangeCommands(sets),
                        new SortedSetAlgebraCommands(sets),
                        new StreamCommands(streams, () -> NodeLimits.STANDARD),
                        new StreamReadCommands(streams, groups, new GroupReads()),
                        new GroupCommands(groups),
                        new PendingCommands(groups, new Claims()),
                        new BitmapCommands(() -> Strings.LENGTH_MAX),
                        new GeoCommands(sets),
                        new HyperLogLogCommands(new HyperLogLogs(() -> 3000)))),
                keyspace,
                () -> Instant.ofEpochMilli(nowMillis));
    }
}
