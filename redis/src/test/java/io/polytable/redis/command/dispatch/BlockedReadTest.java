package io.polytable.redis.command.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Sessions;
import io.polytable.redis.command.Account;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Permissions;
import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.SilentPeer;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.keyspace.ExpiryCommands;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.stream.GroupCommands;
import io.polytable.redis.command.stream.StreamCommands;
import io.polytable.redis.command.stream.StreamReadCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Blocked reads of streams, with a clock of their own and without the background. */
class BlockedReadTest {
    private final Streams streams = new Streams(() -> NodeLimits.STANDARD);
    private final Groups groups = new Groups();
    private final Node node =
            new Node(Keyspace.open(new MemoryStore()), new RedisConfig(), () -> Instant.ofEpochMilli(this.nowMillis));
    private final CommandTable table = CommandTable.of(List.of(
            new StringCommands(new Strings()),
            new KeyCommands(),
            new ExpiryCommands(),
            new StreamCommands(streams, () -> NodeLimits.STANDARD),
            new GroupCommands(groups),
            new StreamReadCommands(streams, groups, new GroupReads())));
    private final Dispatcher dispatcher =
            new Dispatcher(node, table, node.statistics().newTally(table));
    private final Session writer = Session.detached();
    private final Client client = new Client();
    private final Session reader = new Session(registered(), client, 0, new Account("default", Permissions.ALL));
    private long nowMillis = 1_000_000;

    /** Notes what it is sent, and when its call shall run again. */
    private static final class Client extends SilentPeer {
        private final List<Reply> answers = new ArrayList<>();
        private final List<Waiter> retries = new ArrayList<>();
        private final List<PushQueue.PushMessage> pushes = new ArrayList<>();

        @Override
        public void answer(Waiter waiter, Reply reply) {
            answers.add(reply);
        }

        @Override
        public void retry(Waiter waiter) {
            retries.add(waiter);
        }

        @Override
        public PushQueue queue() {
            return pushes::add;
        }
    }

    private String run(Session session, String line) {
        return ReplyText.of(dispatcher.run(session, line.split(" ", -1)), 2, false);
    }

    private void block(String line) {
        assertThat(dispatcher.run(reader, line.split(" ", -1))).isInstanceOf(Reply.Blocked.class);
    }

    private void track(boolean optIn) {
        node.clients().add(reader);
        reader.speak(3);
        node.tracking().enable(reader, new PushState.Tracking(false, optIn, false, false, 0, new TreeSet<>()));
    }

    /** Nobody else will tell the blocked call: the background finds nothing left to remove. */
    @Test
    void aReadThatRemovesAnExpiredStreamEndsTheWait() {
        run(writer, "xgroup create s g $ mkstream");
        run(writer, "pexpire s 100");
        block("xreadgroup group g c block 0 streams s >");
        nowMillis += 200;
        assertThat(run(writer, "exists s")).isEqualTo(":0");
        assertThat(client.retries).hasSize(1);
        dispatcher.retry(client.retries.get(0));
        assertThat(client.answers).hasSize(1).first().asString().contains("No such key 's' or consumer group 'g'");
    }

    @Test
    void whatABlockedReadWasServedIsTracked() {
        track(false);
        block("xread block 0 streams s $");
        run(writer, "xadd s 1-1 f v");
        assertThat(client.answers).hasSize(1);
        assertThat(client.pushes).as("for the read that found nothing").hasSize(1);
        run(writer, "xadd s 2-1 f v");
        assertThat(client.pushes).as("for the read that was served").hasSize(2);
        run(writer, "xadd s 3-1 f v");
        assertThat(client.pushes).hasSize(2);
    }

    @Test
    void cachingAppliesToABlockedReadUntilItIsAnswered() {
        track(true);
        reader.pushState().caching(true);
        block("xread block 0 streams s $");
        run(writer, "xadd s 1-1 f v");
        reader.answered(nowMillis);
        run(writer, "xadd s 2-1 f v");
        assertThat(client.pushes).hasSize(2);
        run(reader, "get k");
        run(writer, "set k v");
        assertThat(client.pushes).hasSize(2);
    }

    private static io.polytable.frontend.session.Session registered() {
        return new Sessions()
                .open("redis", "", Principal.ROOT, io.polytable.frontend.session.Session.Client.NONE)
                .orElseThrow();
    }
}
