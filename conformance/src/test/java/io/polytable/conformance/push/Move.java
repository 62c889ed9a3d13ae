package io.polytable.conformance.push;

import java.util.List;

/**
 * One step of a history: a connection sends a command, or with no words it is closed and opened again.
 *
 * @param unordered whether the order of the reply's items is the server's own business
 */
record Move(int connection, List<String> words, boolean unordered) {
    static Move of(int connection, String... words) {
        return new Move(connection, List.of(words), false);
    }

    static Move unordered(int connection, String... words) {
        return new Move(connection, List.of(words), true);
    }

    static Move reconnect(int connection) {
        return new Move(connection, List.of(), false);
    }

    @Override
    public String toString() {
        return connection + ": " + (words.isEmpty() ? "(reconnects)" : String.join(" ", words));
    }
}
