package io.polytable.conformance.linearizability;

import java.util.List;

/**
 * One call of one client.
 *
 * @param words what was called, the key left out
 * @param answer what came back, as text; of a call that was never answered nothing
 * @param returned when it was answered, or {@link #NEVER}; on the same clock as {@code called}
 */
record Operation(int client, List<String> words, String answer, long called, long returned) {
    static final long NEVER = Long.MAX_VALUE;

    static final String NOTHING = "nil";

    Operation {
        words = List.copyOf(words);
    }

    boolean isAnswered() {
        return returned != NEVER;
    }

    String name() {
        return words.get(0);
    }

    String word(int at) {
        return words.get(at);
    }

    @Override
    public String toString() {
        return client + " " + String.join(" ", words) + " -> " + (isAnswered() ? answer : "?") + " [" + called + ","
                + (isAnswered() ? returned : "") + "]";
    }
}
