package io.polytable.conformance.linearizability;

import static io.polytable.conformance.linearizability.Clients.text;

import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The calls of clients on keys of each type. */
final class Workload {
    private Workload() {}

    static final List<Kind> KINDS = List.of(
            new Kind("counter", Models.STRING, "INCR", "INCR", "INCR", "GET"),
            new Kind("register", Models.STRING, "GETSET v", "GETSET v", "GET"),
            new Kind("queue", Models.LIST, "LPUSH v", "LPUSH v", "RPOP", "RPOP", "RPUSH v", "LPOP", "LLEN"),
            new Kind("members", Models.SET, "SADD m", "SREM m", "SADD m", "SREM m", "SISMEMBER m", "SCARD"),
            new Kind("log", Models.STREAM, "XADD", "XADD", "XADD", "XLEN"),
            new Kind("exchange", Models.STRING, "CAS v", "CAS v", "GETSET v"),
            new Kind("pair", Models.PAIR, "BOTH", "BOTH", "LOOK"));

    /** A kind of keys, whose names begin with its own, and the calls that are made on them. */
    record Kind(String name, Model<?> model, List<String> lines) {
        Kind(String name, Model<?> model, String... lines) {
            this(name, model, List.of(lines));
        }

        /** A call; v is a value that nobody else writes, m one of few members. */
        List<String> words(Random random, String value) {
            String line = lines.get(random.nextInt(lines.size()));
            String member = "m" + random.nextInt(3);
            return List.of(
                    line.replace(" v", " " + value).replace(" m", " " + member).split(" ", -1));
        }
    }

    /** Makes the call and answers its reply as text. */
    static String run(RespConnection connection, String key, List<String> words) {
        return switch (words.get(0)) {
            case "CAS" -> exchange(connection, key, words.get(1));
            case "BOTH" -> both(connection, key);
            case "LOOK" ->
                join(connection.call("MGET", "{" + key + "}a", "b" + key).tree());
            case "XADD" -> text(connection.call("XADD", key, "*", "f", "v").tree());
            default -> {
                List<String> call = new ArrayList<>(words);
                call.add(1, key);
                yield text(connection.call(call).tree());
            }
        };
    }

    private static String exchange(RespConnection connection, String key, String value) {
        text(connection.call("WATCH", key).tree());
        String read = text(connection.call("GET", key).tree());
        List<Resp> replies =
                connection.pipeline(List.of(List.of("MULTI"), List.of("SET", key, value), List.of("EXEC"))).stream()
                        .map(answer -> answer.tree())
                        .toList();
        return replies.get(2).isNull() ? "refused" : "set after " + read;
    }

    /** Two keys that are in different shards, when there are any. */
    private static String both(RespConnection connection, String key) {
        List<Resp> replies = connection
                .pipeline(List.of(
                        List.of("MULTI"),
                        List.of("INCR", "{" + key + "}a"),
                        List.of("INCR", "b" + key),
                        List.of("EXEC")))
                .stream()
                .map(answer -> answer.tree())
                .toList();
        return join(replies.get(3));
    }

    private static String join(Resp replies) {
        return text(replies.items().get(0)) + " " + text(replies.items().get(1));
    }

    /** The kind of a key by its name. */
    static Kind kindOf(String key) {
        return KINDS.stream()
                .filter(kind -> key.startsWith(kind.name + ":"))
                .findFirst()
                .orElseThrow();
    }
}
