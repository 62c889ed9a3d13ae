package io.polytable.conformance.history;

import io.polytable.conformance.resp.RespText;
import java.util.List;
import java.util.stream.Collectors;

/** A step for both sides, independent of other steps. */
public sealed interface Step {
    int connection();

    /** A command and its reply. */
    record Call(int connection, List<String> words) implements Step {
        @Override
        public String toString() {
            return connection + "> " + RespText.of(words);
        }
    }

    /** Several commands in one write. */
    record Pipeline(int connection, List<List<String>> commands) implements Step {
        @Override
        public String toString() {
            return commands.stream().map(RespText::of).collect(Collectors.joining(" ; ", connection + "> ", ""));
        }
    }

    /** A scan from cursor 0 until it returns 0 again; the word at {@code cursorAt} is replaced on the way. */
    record Walk(int connection, List<String> words, int cursorAt) implements Step {
        @Override
        public String toString() {
            return connection + "> " + RespText.of(words) + "   (whole iteration)";
        }
    }

    /**
     * A whole scan of the database, and its size, which must equal the number of keys once expired ones are removed.
     */
    record Census(int connection) implements Step {
        @Override
        public String toString() {
            return connection + "> DBSIZE   (after a whole scan)";
        }
    }

    /**
     * A command that expires the key within a millisecond, and the wait for that. With {@code untouched} no command
     * reads the key meanwhile, so that the next command finds it expired.
     */
    record Vanish(int connection, List<String> words, String key, boolean untouched) implements Step {
        @Override
        public String toString() {
            return connection + "> " + RespText.of(words) + (untouched ? "   (and sleep)" : "   (and wait until gone)");
        }
    }
}
