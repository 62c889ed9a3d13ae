package io.polytable.hbase.access;

import io.polytable.frontend.user.Scope;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Method;
import io.polytable.hbase.rpc.RpcService;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The rules of a service's calls: what each needs before it runs, and what of its answer its client may see. A call without
 * a rule needs ADMIN on everything.
 */
final class Rules {
    static final List<Action> ADMIN = List.of(Action.ADMIN);

    /** Either of these. */
    static final List<Action> ADMIN_OR_CREATE = List.of(Action.ADMIN, Action.CREATE);

    /** What a call needs before it runs. */
    @FunctionalInterface
    interface Need<Q> {
        void require(Q request, Client client) throws IOException;
    }

    private record Rule(Need<Message> need, BiFunction<Message, Client, Message> shown) {}

    private final Access access;
    private final Map<String, Rule> byMethod = new HashMap<>();
    private final Rule other;

    Rules(Access access) {
        this.access = access;
        other = new Rule((request, client) -> access.requireGlobal(client, Action.ADMIN), (answer, client) -> answer);
    }

    Rules free(String... methods) {
        for (String method : methods) {
            add(method, new Rule((request, client) -> {}, (answer, client) -> answer));
        }
        return this;
    }

    <Q extends Message> Rules needs(String method, Class<Q> type, Need<Q> need) {
        add(
                method,
                new Rule((request, client) -> need.require(type.cast(request), client), (answer, client) -> answer));
        return this;
    }

    /** One of the actions on the table that the request names. */
    <Q extends Message> Rules table(
            String method, Class<Q> type, Function<Q, HBaseProtos.TableName> named, List<Action> actions) {
        return needs(
                method,
                type,
                (request, client) -> access.requireAny(client, HBaseTypes.name(named.apply(request)), actions));
    }

    /** Runs for everyone, and shows of its answer what the function leaves. */
    <R extends Message> Rules shows(String method, Class<R> type, BiFunction<R, Client, Message> shown) {
        add(method, new Rule((request, client) -> {}, (answer, client) -> shown.apply(type.cast(answer), client)));
        return this;
    }

    /** What the answer of a call with a need shows. */
    <R extends Message> Rules also(String method, Class<R> type, BiFunction<R, Client, Message> shown) {
        byMethod.computeIfPresent(
                method,
                (name, rule) -> new Rule(rule.need(), (answer, client) -> shown.apply(type.cast(answer), client)));
        return this;
    }

    private void add(String method, Rule rule) {
        if (byMethod.put(method, rule) != null) {
            throw new IllegalStateException("two rules for " + method);
        }
    }

    boolean sees(Client client, HBaseProtos.TableName table) {
        return access.sees(client, HBaseTypes.name(table));
    }

    boolean allowsAny(Client client, TableName table, List<Action> actions) {
        return actions.stream().anyMatch(action -> access.allows(client, new Scope.OfTable(table), action));
    }

    /** The service, whose methods keep these rules. */
    RpcService guard(RpcService service) {
        byMethod.keySet().forEach(service::requireMethod);
        return service.with(new RpcService.Change() {
            @Override
            public <Q extends Message> Method<Q> of(Method<Q> method) {
                return guarded(method);
            }
        });
    }

    private <Q extends Message> Method<Q> guarded(Method<Q> method) {
        Rule rule = byMethod.getOrDefault(method.name(), other);
        return method.with((request, call) -> {
            if (access.isFree(call.client())) {
                return method.body().answer(request, call);
            }
            rule.need().require(request, call.client());
            return method.body()
                    .answer(request, call)
                    .thenApply(answer -> answer.withMessage(rule.shown().apply(answer.message(), call.client())));
        });
    }
}
