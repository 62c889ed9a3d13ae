package io.polytable.conformance.differential;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a history to one server. A closed connection is a result like any other, so that a server which
 * closes where the other replies is detected; the next use opens a new one.
 */
final class Speaker implements AutoCloseable {
    private final RespServer server;
    private final @Nullable RespConnection[] connections;

    Speaker(RespServer server, int connections) {
        this.server = server;
        this.connections = new RespConnection[connections];
    }

    Answer call(int connection, List<String> words) {
        return pipeline(connection, List.of(words)).get(0);
    }

    List<Answer> pipeline(int connection, List<List<String>> commands) {
        List<Answer> answers = new ArrayList<>();
        try {
            answers.addAll(open(connection).pipeline(commands));
        } catch (UncheckedIOException e) {
            forget(connection);
            Answer lost = Answer.of(new Resp.Line('!', "connection lost: " + e.getCause()));
            while (answers.size() < commands.size()) {
                answers.add(lost);
            }
        }
        return answers;
    }

    private RespConnection open(int connection) {
        RespConnection open = connections[connection];
        if (open == null) {
            open = server.connect();
            connections[connection] = open;
        }
        return Objects.requireNonNull(open);
    }

    private void forget(int connection) {
        RespConnection open = connections[connection];
        connections[connection] = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < connections.length; i++) {
            forget(i);
        }
    }
}
