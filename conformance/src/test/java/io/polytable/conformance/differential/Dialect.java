package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import java.util.List;
import java.util.Optional;

/** How the reference's answers read in the version that the server under test follows. */
interface Dialect {
    /** Both sides speak the same version. */
    Dialect SAME = new Dialect() {};

    /** Plays the commands to the reference and answers what is expected of the other side. */
    default List<Answer> expected(Speaker reference, int connection, List<List<String>> commands) {
        return reference.pipeline(connection, commands);
    }

    /** Whether the reply is right although it differs, or wrong although it does not; empty when nothing is known. */
    default Optional<Boolean> verdict(List<String> words, Answer reference, Answer subject) {
        return Optional.empty();
    }
}
