package io.polytable.conformance.push;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One step of a history: a connection sends commands in one write or, with none, is closed and reopened.
 *
 * @param unordered whether the order of the reply's items is implementation-defined
 */
record Move(int connection, List<List<String>> commands, boolean unordered) {
    static Move of(int connection, String... words) {
        return new Move(connection, List.of(List.of(words)), false);
    }

    static Move unordered(int connection, String... words) {
        return new Move(connection, List.of(List.of(words)), true);
    }

    static Move reconnect(int connection) {
        return new Move(connection, List.of(), false);
    }

    @Override
    public String toString() {
        return connection
                + commands.stream().map(words -> String.join(" ", words)).collect(Collectors.joining("; ", ": ", ""));
    }
}
