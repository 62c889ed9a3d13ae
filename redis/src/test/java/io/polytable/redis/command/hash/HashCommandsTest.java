package io.polytable.redis.command.hash;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the transcripts cannot show: large hashes, random picks, the shapes of RESP3. */
class HashCommandsTest {
    private final Random random = new Random(11);
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(List.of(
                    new StringCommands(new Strings()), new HashCommands(new Hashes(), new RandomFields(() -> random)))),
            Keyspace.open(new MemoryStore()),
            InstantSource.system());
    private final Session session = Session.detached();

    private String run(String... words) {
        return ReplyText.of(dispatcher.run(session, words), session.protocol(), false);
    }

    private void fill(int fields) {
        for (int i = 0; i < fields; i++) {
            run("hset", "h", "f" + i, "v" + i);
        }
    }

    /** The items of a flat list. */
    private static List<String> items(String reply) {
        assertThat(reply).startsWith("[ ").endsWith(" ]");
        String inner = reply.substring(2, reply.length() - 1).strip();
        return inner.isEmpty() ? List.of() : List.of(inner.split(" "));
    }

    @Test
    void aHashOfMoreThan512FieldsIsScannedInSteps() {
        fill(600);
        Set<String> found = new HashSet<>();
        String cursor = "0";
        int steps = 0;
        do {
            List<String> items = items(run("hscan", "h", cursor, "count", "50", "match", "f*"));
            cursor = items.get(0).substring(1);
            List<String> pairs = items.subList(2, items.size() - 1);
            for (int i = 0; i < pairs.size(); i += 2) {
                assertThat(pairs.get(i + 1)).isEqualTo(pairs.get(i).replace('f', 'v'));
                assertThat(found.add(pairs.get(i))).isTrue();
            }
            steps++;
        } while (!cursor.equals("0"));
        assertThat(found).hasSize(600);
        assertThat(steps).isBetween(12, 13);
    }

    @Test
    void aSmallHashIsScannedInOneStepWhateverTheCount() {
        fill(512);
        assertThat(items(run("hscan", "h", "0", "count", "1")))
                .hasSize(1 + 2 + 1024)
                .startsWith("$0");
        assertThat(items(run("hscan", "h", "77", "count", "1"))).hasSize(1 + 2 + 1024);
        assertThat(items(run("hscan", "h", "0", "match", "f1?"))).hasSize(1 + 2 + 20);
    }

    @Test
    void largeValuesMakeAHashLarge() {
        for (int i = 0; i < 20; i++) {
            run("hset", "h", "f" + i, "x".repeat(10_000));
        }
        assertThat(items(run("hscan", "h", "0", "count", "5")))
                .hasSize(1 + 2 + 10)
                .doesNotContain("$0");
    }

    @Test
    void randomFieldsHaveTheShapeOfTheProtocol() {
        run("hset", "h", "f", "v");
        assertThat(run("hrandfield", "h")).isEqualTo("$f");
        assertThat(run("hrandfield", "h", "-2")).isEqualTo("[ $f $f ]");
        assertThat(run("hrandfield", "h", "5", "withvalues")).isEqualTo("[ $f $v ]");
        session.speak(3);
        assertThat(run("hrandfield", "h", "-2", "withvalues")).isEqualTo("[ [ $f $v ] [ $f $v ] ]");
        assertThat(run("hrandfield", "none", "-2", "withvalues")).isEqualTo("[ ]");
        assertThat(run("hrandfield", "none")).isEqualTo("nil");
        assertThat(run("hgetall", "none")).isEqualTo("{ }");
    }

    @Test
    void refusesMorePicksThanFitInMemory() {
        fill(1);
        assertThat(run("hrandfield", "h", "-16777217")).isEqualTo("-ERR%20value%20is%20out%20of%20range");
    }
}
