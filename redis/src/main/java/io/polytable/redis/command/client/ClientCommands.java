package io.polytable.redis.command.client;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.blocking.Timeouts;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.ClientLine;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Locale;

/** CLIENT and its subcommands. */
public final class ClientCommands implements CommandFamily {
    private static final Flag[] USUAL = {NOSCRIPT, LOADING, STALE};
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};
    private static final String VARIES = "nondeterministic_output";

    /** How many copies of a line are in memory while CLIENT LIST builds its reply: names can be long. */
    private static final long LINE_COPIES = 4;

    private static final Reply UNBLOCKED =
            Reply.error(new RedisError(RedisError.Code.UNBLOCKED, "client unblocked via CLIENT UNBLOCK"));

    private final Node node;
    private final TrackingBodies tracking;

    public ClientCommands(Node node) {
        this.node = node;
        this.tracking = new TrackingBodies(node);
    }

    @Override
    public Group group() {
        return Group.CONNECTION;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "client",
                List.of(
                        speaks("caching", exactly(3), tracking::caching).with(USUAL),
                        speaks("getname", exactly(2), this::getName).with(USUAL),
                        speaks("getredir", exactly(2), tracking::redirect).with(USUAL),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("id", exactly(2), call -> Reply.of(call.session().id()))
                                .with(USUAL),
                        speaks("info", exactly(2), this::info).with(USUAL).tips(VARIES),
                        speaks("kill", atLeast(3), this::kill).with(ADMINS),
                        speaks("list", atLeast(2), this::list).with(ADMINS).tips(VARIES),
                        speaks("no-evict", exactly(3), this::noEvict).with(ADMINS),
                        speaks("no-touch", exactly(3), this::noTouch).with(USUAL),
                        speaks("pause", atLeast(3), this::pause).with(ADMINS),
                        speaks("reply", exactly(3), this::reply).with(USUAL),
                        speaks("setinfo", exactly(4), this::setInfo)
                                .with(USUAL)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
                        speaks("setname", exactly(3), this::setName)
                                .with(USUAL)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
                        speaks("tracking", atLeast(3), tracking::tracking).with(USUAL),
                        speaks("trackinginfo", exactly(2), tracking::describe).with(USUAL),
                        speaks("unblock", atLeast(3), this::unblock).with(ADMINS),
                        speaks("unpause", exactly(2), this::unpause).with(ADMINS))));
    }

    private Reply getName(Call call) {
        String name = call.session().name();
        return name.isEmpty() ? Reply.ABSENT : Reply.of(name);
    }

    static Bytes checkedName(Bytes name) {
        if (!ClientNames.isPlain(name)) {
            throw new RedisError("Client names cannot contain spaces, newlines or special characters.");
        }
        return name;
    }

    private Reply setName(Call call) {
        call.session().name(checkedName(call.word(2)).utf8());
        return Reply.OK;
    }

    private Reply setInfo(Call call) {
        boolean name = call.is(2, "lib-name");
        if (!name && !call.is(2, "lib-ver")) {
            throw new RedisError("Unrecognized option '" + call.quoted(2) + "'");
        }
        if (!ClientNames.isPlain(call.word(3))) {
            throw new RedisError(call.quoted(2) + " cannot contain spaces, newlines or special characters.");
        }
        if (name) {
            call.session().libraryName(call.text(3));
        } else {
            call.session().libraryVersion(call.text(3));
        }
        return Reply.OK;
    }

    private Reply noEvict(Call call) {
        call.session().noEvict(isOn(call));
        return Reply.OK;
    }

    private Reply noTouch(Call call) {
        call.session().noTouch(isOn(call));
        return Reply.OK;
    }

    private static boolean isOn(Call call) {
        if (call.is(2, "on")) {
            return true;
        }
        if (call.is(2, "off")) {
            return false;
        }
        throw RedisError.SYNTAX;
    }

    private Reply reply(Call call) {
        Session session = call.session();
        if (call.is(2, "on")) {
            session.replies(Session.Replies.ON);
            return Reply.OK;
        }
        if (call.is(2, "off")) {
            session.replies(Session.Replies.OFF);
        } else if (!call.is(2, "skip")) {
            throw RedisError.SYNTAX;
        } else if (session.replies() != Session.Replies.OFF) {
            session.replies(Session.Replies.SKIP_NEXT);
        }
        return new Reply.NoReply();
    }

    private Reply pause(Call call) {
        if (call.size() > 4) {
            throw CommandErrors.subcommandSyntax(call);
        }
        boolean all = call.size() == 3 || call.is(3, "ALL");
        if (!all && !call.is(3, "WRITE")) {
            throw new RedisError("CLIENT PAUSE mode must be WRITE or ALL");
        }
        long millis = Timeouts.millis(call, 2);
        node.pause().start(call.nowMillis(), call.nowMillis() + millis, all);
        node.keyspace().removal().pauseUntil(node.pause().untilMillis());
        return Reply.OK;
    }

    private Reply unpause(Call call) {
        node.pause().stop();
        node.keyspace().removal().pauseUntil(0);
        return Reply.OK;
    }

    private Reply unblock(Call call) {
        if (call.size() > 4) {
            throw CommandErrors.subcommandSyntax(call);
        }
        boolean asError = call.size() == 4 && call.is(3, "ERROR");
        if (call.size() == 4 && !asError && !call.is(3, "TIMEOUT")) {
            throw new RedisError("CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
        }
        Session session = node.clients().find(call.integer(2));
        return Reply.of(session != null && node.waiting().interrupt(session, asError ? UNBLOCKED : null));
    }

    private Reply info(Call call) {
        return new Reply.Verbatim("txt", Bytes.utf8(ClientLine.of(call.session(), call.nowMillis(), call) + "\n"));
    }

    private Reply list(Call call) {
        ClientFilter filter = ClientFilter.ofList(call);
        StringBuilder lines = new StringBuilder();
        for (Session session : filter.among(node.clients())) {
            String line = ClientLine.of(session, call.nowMillis(), call);
            call.space().keep(LINE_COPIES * line.length());
            lines.append(line).append('\n');
        }
        return new Reply.Verbatim("txt", Bytes.utf8(lines.toString()));
    }

    private Reply kill(Call call) {
        if (call.size() == 3) {
            return killByAddress(call);
        }
        ClientFilter filter = ClientFilter.ofKill(call, node.accounts());
        List<Session> killed = filter.among(node.clients());
        killed.forEach(session -> end(session, call.session()));
        return Reply.of(killed.size());
    }

    private Reply killByAddress(Call call) {
        String address = call.text(2).toLowerCase(Locale.ROOT);
        for (Session session : node.clients().all()) {
            if (session.peer().address().equals(address)) {
                end(session, call.session());
                return Reply.OK;
            }
        }
        throw new RedisError("No such client");
    }

    private void end(Session session, Session caller) {
        if (session == caller) {
            session.end();
        } else {
            // Immediately, not when the channel is closed: a later write must not serve a killed client.
            node.waiting().leave(session);
            session.peer().close();
        }
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
