package io.polytable.redis.command.dispatch;

import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.writes;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session.Client;
import io.polytable.frontend.session.Sessions;
import io.polytable.redis.command.Account;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Permissions;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.SilentPeer;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.keyspace.DatabaseCommands;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.command.transaction.TransactionCommands;
import io.polytable.redis.command.zset.BlockingSortedSetCommands;
import io.polytable.redis.command.zset.SortedSetCommands;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.RandomElements;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Commit;
import io.polytable.table.Direction;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Who is served, in which order, and by which commit, without sockets and threads. */
class UnblockerTest {
    private final SortedSets sets = new SortedSets();
    private final FragileStore store = new FragileStore();
    private final Node node = new Node(Keyspace.open(store), new RedisConfig(), InstantSource.system());
    private final CommandTable table = CommandTable.of(List.of(
            new Movers(),
            new StringCommands(new Strings()),
            new KeyCommands(),
            new DatabaseCommands(),
            new TransactionCommands(node.watches()),
            new SortedSetCommands(sets, new RandomElements(() -> new Random(1))),
            new BlockingSortedSetCommands(sets)));
    private final Dispatcher dispatcher =
            new Dispatcher(node, table, node.statistics().newTally(table));
    private final Session writer = Session.detached();
    private final List<String> answers = new ArrayList<>();

    /** A store whose next commit can be made to fail, and which counts them. */
    private static final class FragileStore extends ForwardingStore {
        private boolean fails;
        private int commits;

        FragileStore() {
            super(new MemoryStore());
        }

        @Override
        public Commit commit(Batch batch) {
            if (fails) {
                fails = false;
                throw new StoreException(StoreError.NO_ROOM, "no space, for once");
            }
            commits++;
            return super.commit(batch);
        }
    }

    /** BMOVE source target: takes the lowest member over to another sorted set, and waits for one; what BLMOVE is to lists. */
    private final class Movers implements CommandFamily {
        @Override
        public Group group() {
            return Group.SORTED_SET;
        }

        @Override
        public List<Command> commands() {
            return List.of(writes("bmove", exactly(3), KeySpecs.range(1, 2, 1), this::move));
        }

        private Reply move(Call call) {
            if (sets.size(call.space(), call.key(1)) == 0) {
                return Waiter.forKeys(call, List.of(call.key(1)), Type.ZSET, 0, Reply.ABSENT);
            }
            Element taken =
                    sets.pop(call.space(), call.key(1), Direction.FORWARD, 1).get(0);
            sets.add(call.space(), call.key(2), AddRules.ANY, List.of(taken));
            return Reply.of(taken.member());
        }
    }

    /** A client whose answers are noted with its name. */
    private final class Listener extends SilentPeer {
        private final String name;

        Listener(String name) {
            this.name = name;
        }

        @Override
        public void answer(Waiter waiter, Reply reply) {
            if (name.startsWith("unreachable")) {
                throw new AssertionError("its event loop is gone");
            }
            answers.add(name + " " + reply);
        }

        @Override
        public void retry(Waiter waiter) {
            dispatcher.retry(waiter);
        }

        @Override
        public String address() {
            return name;
        }

        @Override
        public void close() {
            answers.add(name + " is closed");
        }
    }

    private Session waits(String name, String line) {
        Session session = new Session(registered(), new Listener(name), 0, new Account("default", Permissions.ALL));
        assertThat(dispatcher.run(session, line.split(" ", -1))).isInstanceOf(Reply.Blocked.class);
        return session;
    }

    private String run(String line) {
        return ReplyText.of(dispatcher.run(writer, line.split(" ", -1)), 2, false);
    }

    @Test
    void writeAndServedCallsAreOneCommit() {
        waits("a", "bzpopmin z 0");
        int before = store.commits;
        assertThat(run("zadd z 1 m")).isEqualTo(":1");
        assertThat(store.commits).isEqualTo(before + 1);
        assertThat(answers).hasSize(1);
        assertThat(run("dbsize")).isEqualTo(":0");
    }

    @Test
    void whatOneHandsOnServesTheNext() {
        waits("last", "bzpopmin d 0");
        waits("third", "bmove c d");
        waits("second", "bmove b c");
        waits("first", "bmove a b");
        run("zadd a 1 m");
        assertThat(answers).hasSize(4);
        assertThat(answers.get(0)).startsWith("first ");
        assertThat(answers.get(3)).startsWith("last ");
        assertThat(run("dbsize")).isEqualTo(":0");
    }

    @Test
    void aCircleEnds() {
        waits("there", "bmove a b");
        waits("back", "bmove b a");
        run("zadd a 1 m");
        assertThat(answers).hasSize(2);
        assertThat(run("exists a")).isEqualTo(":1");
        assertThat(run("exists b")).isEqualTo(":0");
    }

    @Test
    void whoFailsTakesNothing() {
        run("set string v");
        waits("fails", "bmove a string");
        waits("next", "bzpopmin a 0");
        run("zadd a 1 m");
        assertThat(answers.get(0)).startsWith("fails ").contains("wrong kind of value");
        assertThat(answers.get(1)).startsWith("next ");
        assertThat(run("get string")).contains("v");
    }

    @Test
    void ifTheCommitFailsEverybodyWaitsOn() {
        waits("a", "bzpopmin z 0");
        waits("b", "bzpopmin z 0");
        store.fails = true;
        assertThat(run("zadd z 1 m 2 n")).startsWith("-");
        assertThat(answers).isEmpty();
        assertThat(run("exists z")).isEqualTo(":0");
        run("zadd z 1 m");
        assertThat(answers).hasSize(1).allMatch(answer -> answer.startsWith("a "));
    }

    @Test
    void ifTheTransactionFailsNothingOfItHappened() {
        waits("a", "bzpopmin z 0");
        run("multi");
        run("zadd z 1 m");
        run("set s 1");
        store.fails = true;
        assertThat(run("exec")).startsWith("-").contains("EXECABORT");
        assertThat(answers).isEmpty();
        assertThat(run("dbsize")).isEqualTo(":0");
        assertThat(writer.transaction().isOpen()).isFalse();
    }

    @Test
    void whoLeftOrWasUnblockedIsPassedOver() {
        Session gone = waits("gone", "bzpopmin z 0");
        Session unblocked = waits("unblocked", "bzpopmin z 0");
        waits("stays", "bzpopmin z 0");
        node.waiting().leave(gone);
        assertThat(node.waiting().interrupt(unblocked, null)).isTrue();
        assertThat(node.waiting().interrupt(unblocked, null)).isFalse();
        run("zadd z 1 m");
        assertThat(answers).hasSize(2);
        assertThat(answers.get(0)).startsWith("unblocked ");
        assertThat(answers.get(1)).startsWith("stays ");
        assertThat(node.waiting().keyCount()).isZero();
    }

    /** As at a shutdown: the commit stands, so the writer and the others get their answers, and nobody stays locked. */
    @Test
    void whoCannotBeToldIsClosedAndTheOthersAreAnswered() throws InterruptedException {
        Session first = waits("unreachable one", "bzpopmin z 0");
        waits("next", "bzpopmin z 0");
        Session second = waits("unreachable two", "bzpopmin z 0");
        assertThat(run("zadd z 1 m 2 n 3 o")).isEqualTo(":3");
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0)).isEqualTo("unreachable one is closed");
        assertThat(answers.get(1)).startsWith("next ").contains("n");
        assertThat(answers.get(2)).isEqualTo("unreachable two is closed");
        // Another thread, since a lock does not stop the one that holds it.
        Thread leaving = new Thread(() -> {
            node.waiting().leave(first);
            node.waiting().leave(second);
            answers.add("left");
        });
        leaving.start();
        leaving.join(10_000);
        assertThat(answers).last().isEqualTo("left");
        assertThat(node.waiting().keyCount()).isZero();
        waits("later", "bzpopmin z 0");
        run("zadd z 4 p");
        assertThat(answers).last().asString().startsWith("later ");
    }

    /** Ten thousand on one key, each with keys of its own: a write serves one and is not slowed by the rest. */
    @Test
    void thousandsWait() {
        int count = 3_000;
        for (int i = 0; i < count; i++) {
            waits("c" + i, "bzpopmin z own" + i + " 0");
        }
        assertThat(node.waiting().keyCount()).isEqualTo(count + 1);
        for (int i = 0; i < 100; i++) {
            run("zadd z 1 m");
            assertThat(answers.get(i)).startsWith("c" + i + " ");
        }
        run("zadd own1500 1 m");
        assertThat(answers).hasSize(101).last().asString().startsWith("c1500 ");
        run("swapdb 0 1");
        run("flushall");
        assertThat(answers).hasSize(101);
    }

    @Test
    void aTransactionServesWhoWaitsForAnyOfItsKeys() {
        waits("a", "bzpopmin x 0");
        waits("b", "bmove y x");
        waits("c", "bzpopmin x 0");
        run("multi");
        run("zadd y 1 m");
        run("zadd x 2 n");
        run("zcard x");
        int before = store.commits;
        assertThat(run("exec")).contains(":1 :1 :1");
        assertThat(store.commits).isEqualTo(before + 1);
        assertThat(answers).hasSize(3);
        assertThat(run("dbsize")).isEqualTo(":0");
    }

    /** All whose keys share a stripe wait while such a call enters and leaves: a quadratic one would take many minutes. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void aCallMayWaitForVeryManyKeys() {
        StringBuilder line = new StringBuilder("bzpopmin");
        for (int i = 0; i < 120_000; i++) {
            line.append(" key:").append(i);
        }
        Session session = waits("a", line + " 0");
        assertThat(node.waiting().keyCount()).isEqualTo(120_000);
        assertThat(run("set key:1 v")).isEqualTo("+OK");
        node.waiting().leave(session);
        assertThat(node.waiting().keyCount()).isZero();
    }

    /** Each write of a key looks whom it may serve: that must not cost more than the waiting calls have keys. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void writesPassCallsThatWaitForManyKeys() {
        StringBuilder keys = new StringBuilder("hot");
        for (int i = 0; i < 2_000; i++) {
            keys.append(" key:").append(i);
        }
        waits("a", "bzpopmin " + keys + " 0");
        for (int i = 0; i < 3_000; i++) {
            assertThat(run("set hot v")).isEqualTo("+OK");
        }
        run("del hot");
        assertThat(run("zadd hot 1 m")).isEqualTo(":1");
        assertThat(answers).hasSize(1);
    }

    private static io.polytable.frontend.session.Session registered() {
        return new Sessions().open("redis", "", Principal.ROOT, Client.NONE).orElseThrow();
    }
}
