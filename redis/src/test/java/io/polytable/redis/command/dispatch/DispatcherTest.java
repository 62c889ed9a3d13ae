package io.polytable.redis.command.dispatch;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.speaks;
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
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Peer;
import io.polytable.redis.command.Permissions;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class DispatcherTest {
    private static final class Toys implements CommandFamily {
        @Override
        public Group group() {
            return Group.STRING;
        }

        @Override
        public List<Command> commands() {
            return List.of(
                    reads("first", exactly(2), KeySpecs.FIRST, call -> Reply.of(call.word(1))),
                    writes("pairs", atLeast(3), KeySpecs.range(1, -1, 2), this::keys),
                    reads("counted", atLeast(3), KeySpecs.counted(1), this::keys),
                    reads("wrong", exactly(1), KeySpecs.NONE, call -> {
                        throw RedisError.WRONG_TYPE;
                    }),
                    writes("huge", exactly(2), KeySpecs.FIRST, call -> {
                        call.space().putString(call.word(1), Bytes.EMPTY, Header.NEVER);
                        throw new OutOfMemoryError("as if the heap were full");
                    }),
                    reads(
                            "there",
                            exactly(2),
                            KeySpecs.FIRST,
                            call -> Reply.of(call.space().header(call.word(1)).isPresent())),
                    container("box", List.of(speaks("open", exactly(3), call -> Reply.OK))));
        }

        private Reply keys(Call call) {
            KeyPositions keys = call.keyPositions();
            return Reply.of(keys.size());
        }
    }

    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(List.of(new Toys())), Keyspace.open(new MemoryStore()), InstantSource.system());

    private Reply run(String... words) {
        return dispatcher.run(Session.detached(), words);
    }

    private static void assertError(Reply reply, Code code, String text) {
        assertThat(reply).isInstanceOfSatisfying(Reply.Failure.class, failure -> {
            assertThat(failure.error().code()).isEqualTo(code);
            assertThat(failure.error().text()).isEqualTo(text);
        });
    }

    @Test
    void findsCommandsWhateverTheCase() {
        assertThat(run("FiRsT", "a")).isEqualTo(Reply.of(Bytes.utf8("a")));
        assertThat(run("box", "OPEN", "x")).isEqualTo(Reply.OK);
    }

    @Test
    void refusesUnknownCommandsInTheWordsOfRedis() {
        assertError(run("foo", "a", "b"), Code.ERR, "unknown command 'foo', with args beginning with: 'a' 'b' ");
        assertError(run("box", "shut"), Code.ERR, "unknown subcommand 'shut'. Try BOX HELP.");
    }

    @Test
    void refusesTheWrongNumberOfWords() {
        assertError(run("first"), Code.ERR, "wrong number of arguments for 'first' command");
        assertError(run("box"), Code.ERR, "wrong number of arguments for 'box' command");
        assertError(run("box", "open"), Code.ERR, "wrong number of arguments for 'box|open' command");
    }

    @Test
    void aCommandTooLargeForTheHeapLeavesNothingBehind() {
        assertError(run("huge", "k"), Code.OOM, "command not allowed when used memory > 'maxmemory'.");
        assertThat(run("there", "k")).isEqualTo(Reply.ZERO);
    }

    @Test
    void findsKeysByTheDeclaration() {
        assertThat(run("pairs", "k1", "v1", "k2", "v2")).isEqualTo(Reply.of(2));
        assertThat(run("counted", "2", "k1", "k2", "other")).isEqualTo(Reply.of(2));
        assertThat(run("counted", "9", "k1", "k2", "other")).isEqualTo(Reply.of(0));
        assertThat(run("counted", "x", "k1")).isEqualTo(Reply.of(0));
    }

    @Test
    void turnsRefusalsIntoReplies() {
        assertError(run("wrong"), Code.WRONGTYPE, "Operation against a key holding the wrong kind of value");
    }

    @Test
    void asksForAuthenticationWhileAPasswordIsSet() {
        RedisConfig settings = new RedisConfig();
        settings.set("requirepass", "secret");
        CommandTable table = CommandTable.of(List.of(new Toys()));
        Node node = new Node(Keyspace.open(new MemoryStore()), settings, InstantSource.system());
        Dispatcher guarded = new Dispatcher(node, table, node.statistics().newTally(table));
        Session stranger = new Session(
                new Sessions()
                        .open("redis", "127.0.0.1:40000", Principal.ANONYMOUS, Client.NONE)
                        .orElseThrow(),
                Peer.NOBODY,
                0,
                new Account("default", Permissions.ALL));
        assertError(guarded.run(stranger, "first", "a"), Code.NOAUTH, "Authentication required.");
        settings.set("requirepass", "");
        assertThat(guarded.run(stranger, "first", "a")).isEqualTo(Reply.of(Bytes.utf8("a")));
    }

    @Test
    void anExecThatCannotRunEndsItsTransaction() {
        Session session = Session.detached();
        session.transaction().open();
        Dispatcher own = new Dispatcher(
                CommandTable.of(List.of(new Toys(), new Ending())),
                Keyspace.open(new MemoryStore()),
                InstantSource.system());
        own.call().begin(session, new Bytes[] {Bytes.utf8("end")}, 1);
        assertThat(own.refusal()).isNull();
        assertError(own.rejected(new RedisError("busy")), Code.EXECABORT, "Transaction discarded because of: busy");
        assertThat(session.transaction().isOpen()).isFalse();
        assertThat(own.run(session, "first", "a")).isEqualTo(Reply.of(Bytes.utf8("a")));
    }

    private static final class Ending implements CommandFamily {
        @Override
        public Group group() {
            return Group.TRANSACTIONS;
        }

        @Override
        public List<Command> commands() {
            return List.of(speaks("end", exactly(1), call -> Reply.OK).atOnce().runningTheQueue());
        }
    }
}
