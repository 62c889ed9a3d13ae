package io.polytable.conformance.linearizability;

import java.util.List;

/**
 * The sequential model of a key.
 *
 * @param <S> its states: immutable, with equality
 */
interface Model<S> {
    S initial();

    /** Applies the call to the key: the new state and the reply. */
    Step<S> apply(S state, List<String> words);

    /** Whether the reply is possible, where {@link #apply} cannot know it: a generated id. */
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
