package io.polytable.redis.command.client;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.acl.Accounts;
import io.polytable.redis.command.node.Clients;
import io.polytable.redis.model.RedisError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The filter of CLIENT LIST and CLIENT KILL. */
final class ClientFilter {
    private final Session caller;
    private @Nullable List<Long> listed;
    private @Nullable Long id;
    private @Nullable String type;
    private @Nullable String user;
    private @Nullable String address;
    private @Nullable String localAddress;
    private boolean skipCaller;

    private ClientFilter(Session caller) {
        this.caller = caller;
    }

    static ClientFilter ofList(Call call) {
        ClientFilter filter = new ClientFilter(call.session());
        if (call.size() == 4 && call.is(2, "TYPE")) {
            filter.type = type(call, 3);
        } else if (call.size() > 3 && call.is(2, "ID")) {
            List<Long> wanted = new ArrayList<>();
            for (int i = 3; i < call.size(); i++) {
                wanted.add(call.integer(i, new RedisError("Invalid client ID")));
            }
            filter.listed = wanted;
        } else if (call.size() != 2) {
            throw RedisError.SYNTAX;
        }
        return filter;
    }

    static ClientFilter ofKill(Call call, Accounts accounts) {
        ClientFilter filter = new ClientFilter(call.session());
        filter.skipCaller = true;
        for (int i = 2; i < call.size(); i += 2) {
            if (i + 1 == call.size()) {
                throw RedisError.SYNTAX;
            }
            filter.read(call, i, accounts);
        }
        return filter;
    }

    private void read(Call call, int i, Accounts accounts) {
        if (call.is(i, "ID")) {
            long number = call.integerOr(i + 1, 0);
            if (number < 1) {
                throw new RedisError("client-id should be greater than 0");
            }
            id = number;
        } else if (call.is(i, "TYPE")) {
            type = type(call, i + 1);
        } else if (call.is(i, "ADDR")) {
            address = call.text(i + 1);
        } else if (call.is(i, "LADDR")) {
            localAddress = call.text(i + 1);
        } else if (call.is(i, "USER")) {
            user = user(call, i + 1, accounts);
        } else if (call.is(i, "SKIPME")) {
            skipCaller = yesOrNo(call, i + 1);
        } else {
            throw RedisError.SYNTAX;
        }
    }

    private static String type(Call call, int i) {
        String type = call.text(i).toLowerCase(Locale.ROOT);
        if (!Set.of("normal", "master", "slave", "replica", "pubsub").contains(type)) {
            throw new RedisError("Unknown client type '" + call.quoted(i) + "'");
        }
        return type;
    }

    private static String user(Call call, int i, Accounts accounts) {
        String name = call.word(i).utf8();
        if (accounts.find(name).isEmpty()) {
            throw new RedisError("No such user '" + call.quoted(i) + "'");
        }
        return name;
    }

    private static boolean yesOrNo(Call call, int i) {
        if (!call.is(i, "yes") && !call.is(i, "no")) {
            throw RedisError.SYNTAX;
        }
        return call.is(i, "yes");
    }

    /** The matching clients: in the order (and as often as) their ids were listed, otherwise oldest first. */
    List<Session> among(Clients clients) {
        List<Long> wanted = listed;
        if (wanted == null) {
            return clients.all().stream().filter(this::matches).toList();
        }
        List<Session> found = new ArrayList<>();
        for (long each : wanted) {
            Session session = clients.find(each);
            if (session != null) {
                found.add(session);
            }
        }
        return found;
    }

    private static boolean isOfType(Session session, String type) {
        if (session.isReplica()) {
            return type.equals("replica") || type.equals("slave");
        }
        return type.equals(session.pushState().isSubscriber() ? "pubsub" : "normal");
    }

    private boolean matches(Session session) {
        return !(skipCaller && session == caller)
                && (id == null || id == session.id())
                && (type == null || isOfType(session, type))
                && (user == null || user.equals(session.user()))
                && (address == null || address.equals(session.peer().address()))
                && (localAddress == null || localAddress.equals(session.peer().localAddress()));
    }
}
