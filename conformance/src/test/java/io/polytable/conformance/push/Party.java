package io.polytable.conformance.push;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several connections to one server, some of which receive pushes. */
final class Party implements AutoCloseable {
    private final RespServer server;
    private final RespConnection[] connections;
    private final List<String> ids = new ArrayList<>();
    private int tokens;

    Party(RespServer server, int size) {
        this.server = server;
        this.connections = new RespConnection[size];
        for (int i = 0; i < size; i++) {
            connections[i] = server.connect();
            ids.add("");
            ids.set(i, idOf(connections[i]));
        }
    }

    private static String idOf(RespConnection connection) {
        return connection.call("CLIENT", "ID").tree().text();
    }

    int size() {
        return connections.length;
    }

    /** Sends commands; a word {@code @3} behind REDIRECT is the client id of connection 3. What comes of them is heard by {@link #hear}. */
    void send(int connection, List<List<String>> commands) {
        StringBuilder bytes = new StringBuilder();
        for (List<String> words : commands) {
            bytes.append(RespConnection.request(withIds(words)));
        }
        connections[connection].send(bytes.toString());
    }

    private List<String> withIds(List<String> words) {
        int redirect = words.indexOf("REDIRECT");
        if (redirect < 0) {
            return words;
        }
        List<String> all = new ArrayList<>(words);
        all.set(redirect + 1, ids.get(words.get(redirect + 1).charAt(1) - '0'));
        return all;
    }

    /** Ends a connection and opens a new one in its place. */
    void reconnect(int connection) {
        connections[connection].close();
        String gone = ids.get(connection);
        connections[connection] = server.connect();
        ids.set(connection, idOf(connections[connection]));
        awaitGone(gone);
    }

    private void awaitGone(String id) {
        try (RespConnection observer = server.connect()) {
            for (int i = 0; i < 10_000; i++) {
                String line = observer.call("CLIENT", "LIST", "ID", id).tree().text();
                if (line.isEmpty()) {
                    return;
                }
            }
            throw new AssertionError("client " + id + " does not go away");
        }
    }

    /** What each connection was told since the last time; first the one that did something is waited for. */
    List<Heard> hear(int first, boolean unordered) {
        // Twice: what is told at the end of an event loop's turn comes after the echo that was asked for in the same
        // turn.
        List<Answer> own = untilEcho(connections[first]);
        own.addAll(untilEcho(connections[first]));
        List<Heard> all = new ArrayList<>();
        for (int i = 0; i < connections.length; i++) {
            all.add(Heard.of(i == first ? own : untilEcho(connections[i]), unordered));
        }
        return all;
    }

    private List<Answer> untilEcho(RespConnection connection) {
        String token = "token" + tokens++;
        connection.send(RespConnection.request(List.of("PING", token)));
        List<Answer> heard = new ArrayList<>();
        Answer next = connection.read();
        while (!isEcho(next.tree(), token)) {
            heard.add(canonical(next));
            next = connection.read();
        }
        return heard;
    }

    private static boolean isEcho(Resp reply, String token) {
        @Nullable Resp echo = reply;
        if (reply instanceof Resp.Many many && many.items().size() == 2 && many.kind() == '*') {
            echo = many.items().get(1);
        }
        return echo instanceof Resp.Blob blob && blob.text().equals(token);
    }

    /** Client ids differ from server to server, so they are written as the connection's number. */
    private Answer canonical(Answer answer) {
        String bytes = answer.bytes();
        if (bytes.contains("$6\r\nserver\r\n")) {
            return new Answer("the greeting of HELLO", answer.tree());
        }
        if (bytes.contains("tracking-redir-broken") || bytes.contains("$8\r\nredirect\r\n")) {
            bytes = bytes.replaceAll(":[1-9]\\d*\r\n", ":id\r\n");
        }
        return new Answer(bytes, answer.tree());
    }

    @Override
    public void close() {
        for (RespConnection connection : connections) {
            connection.close();
        }
    }
}
