package io.polytable.redis.command.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.hash.HashCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.model.GoldenLines;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plays what was once played to a real server, and answers every call as that did. */
class TranscriptTest {
    private static final Set<String> UNORDERED = Set.of("hgetall", "hkeys", "hvals", "hscan", "hrandfield");

    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "2, 16"})
    void answersAsRedisDid(int protocol, int shards) {
        Session session = Session.detached();
        session.speak(protocol);
        Dispatcher dispatcher = dispatcher(shards);
        int lineNumber = 1;
        for (List<String> line : GoldenLines.of("transcript-resp" + protocol + ".txt")) {
            lineNumber++;
            int arrow = line.indexOf("=>");
            List<String> call = line.subList(0, arrow);
            String name = call.get(0).toLowerCase(Locale.ROOT);
            if (name.equals("flushall")) {
                dispatcher = dispatcher(shards);
                continue;
            }
            Reply reply = dispatcher.run(
                    session, call.stream().map(GoldenLines::bytes).toArray(Bytes[]::new));
            assertThat(ReplyText.of(reply, protocol, UNORDERED.contains(name)))
                    .as("line %d: %s", lineNumber, call)
                    .isEqualTo(String.join(" ", line.subList(arrow + 1, line.size())));
        }
        assertThat(lineNumber).isGreaterThan(1000);
    }

    private static Dispatcher dispatcher(int shards) {
        MemoryStore store = new MemoryStore();
        Random random = new Random(1);
        return new Dispatcher(
                CommandTable.of(List.of(
                        new StringCommands(new Strings()),
                        new HashCommands(new Hashes(), new RandomFields(() -> random)))),
                shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards),
                () -> Instant.ofEpochSecond(1_800_000_000));
    }
}
