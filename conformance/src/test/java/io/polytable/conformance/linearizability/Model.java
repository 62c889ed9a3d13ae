package io.polytable.conformance.linearizability;

import java.util.List;

/**
 * A key as one client alone would see it.
 *
 * @param <S> its states: immutable, with equality
 */
interface Model<S> {
    S initial();

    /** What the call does to the key, and what it answers. */
    Step<S> apply(S state, List<String> words);

    /** Whether the call can have been answered so, which is looked at where {@link #apply} cannot know: a generated id. */
    default boolean allows(S state, Operation operation) {
        return apply(state, operation.words()).answer().equals(operation.answer());
    }

    /** The state after the call, which was answered so. */
    default S next(S state, Operation operation) {
        return apply(state, operation.words()).state();
    }

    /** A state and the answer on the way to it. */
    record Step<S>(S state, String answer) {}
}
