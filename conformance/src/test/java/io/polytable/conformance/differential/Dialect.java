package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import java.util.List;
import java.util.Optional;

/** Translates the reference's replies to the version that the server under test follows. */
interface Dialect {
    /** Both sides have the same version. */
    Dialect SAME = new Dialect() {};

    /** Runs the commands on the reference and returns the expected replies of the other side. */
    default List<Answer> expected(Speaker reference, int connection, List<List<String>> commands) {
        return reference.pipeline(connection, commands);
    }

    /**
     * Whether the reply is a known difference (right although it differs, or wrong although it does not); empty if
     * unknown.
     */
    default Optional<Boolean> verdict(List<String> words, Answer reference, Answer subject) {
        return Optional.empty();
    }
}
