package io.polytable.redis.command.client;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.NO_AUTH;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.keyspace.DatabaseNumbers;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HELLO, AUTH, SELECT, PING and other commands about the connection itself. */
public final class ConnectionCommands implements CommandFamily {
    private static final Flag[] ANY_TIME = {NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY};

    private static final Reply PONG = Reply.simple("PONG");

    /** The PONG of a subscriber, which in RESP2 only gets arrays. */
    private static final Reply SUBSCRIBERS_PONG = Reply.of("pong");

    private final Node node;
    private final Passwords passwords;

    public ConnectionCommands(Node node) {
        this.node = node;
        this.passwords = new Passwords(node);
    }

    @Override
    public Group group() {
        return Group.CONNECTION;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                speaks("auth", atLeast(2), this::auth).with(ANY_TIME),
                speaks("echo", exactly(2), call -> Reply.of(call.word(1))).with(FAST, LOADING, STALE),
                speaks("hello", atLeast(1), this::hello).with(ANY_TIME),
                speaks("ping", atLeast(1), this::ping)
                        .with(FAST)
                        .tips("request_policy:all_shards", "response_policy:all_succeeded"),
                speaks("quit", atLeast(1), this::quit).with(ANY_TIME).atOnce(),
                speaks("reset", exactly(1), this::reset).with(ANY_TIME).atOnce(),
                speaks("select", exactly(2), this::select).with(FAST, LOADING, STALE));
    }

    private Reply ping(Call call) {
        if (call.size() > 2) {
            throw RedisError.wrongArity("ping");
        }
        Session session = call.session();
        if (session.protocol() == 2 && session.pushState().isSubscriber()) {
            return Reply.many(SUBSCRIBERS_PONG, call.size() == 1 ? Reply.of(Bytes.EMPTY) : Reply.of(call.word(1)));
        }
        return call.size() == 1 ? PONG : Reply.of(call.word(1));
    }

    private Reply select(Call call) {
        call.session().select(DatabaseNumbers.at(call, 1));
        return Reply.OK;
    }

    private Reply quit(Call call) {
        call.session().end();
        return Reply.OK;
    }

    private Reply reset(Call call) {
        node.stopPushes(call.session());
        node.watches().forget(call.session());
        call.session()
                .reset(
                        node.accounts().defaultAccount(),
                        node.users().isPasswordRequired(call.session().origin()));
        return Reply.simple("RESET");
    }

    private Reply auth(Call call) {
        if (call.size() > 3) {
            throw RedisError.SYNTAX;
        }
        if (call.size() == 2) {
            passwords.authenticate(call, call.word(1));
        } else {
            passwords.authenticate(call, call.word(1), call.word(2));
        }
        return Reply.OK;
    }

    private Reply hello(Call call) {
        Session session = call.session();
        long version = call.size() == 1 ? session.protocol() : version(call);
        Bytes name = readOptions(call);
        if (!session.authenticated()) {
            throw new RedisError(
                    Code.NOAUTH,
                    "HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH "
                            + "<user> <pass> option can be used to authenticate the client and select the RESP "
                            + "protocol version at the same time");
        }
        if (name != null) {
            session.name(name.utf8());
        }
        session.speak((int) version);
        return greeting(session);
    }

    private static long version(Call call) {
        long version = call.integer(1, new RedisError("Protocol version is not an integer or out of range"));
        if (version < 2 || version > 3) {
            throw new RedisError(Code.NOPROTO, "unsupported protocol version");
        }
        return version;
    }

    /** Authenticates if asked to; returns the name to set, or null. */
    private @Nullable Bytes readOptions(Call call) {
        Bytes name = null;
        int credentials = 0;
        int i = 2;
        while (i < call.size()) {
            int more = call.size() - 1 - i;
            if (call.is(i, "AUTH") && more >= 2) {
                credentials = i + 1;
                i += 3;
            } else if (call.is(i, "SETNAME") && more >= 1) {
                name = ClientCommands.checkedName(call.word(i + 1));
                i += 2;
            } else {
                throw new RedisError("Syntax error in HELLO option '" + call.quoted(i) + "'");
            }
        }
        if (credentials > 0) {
            passwords.authenticate(call, call.word(credentials), call.word(credentials + 1));
        }
        return name;
    }

    private Reply greeting(Session session) {
        return Reply.mapOf(
                Reply.of("server"), Reply.of("redis"),
                Reply.of("version"), Reply.of(Node.VERSION),
                Reply.of("proto"), Reply.of(session.protocol()),
                Reply.of("id"), Reply.of(session.id()),
                Reply.of("mode"), Reply.of("standalone"),
                Reply.of("role"), Reply.of(node.following().isFollowing() ? "replica" : "master"),
                Reply.of("modules"), Reply.EMPTY);
    }
}
