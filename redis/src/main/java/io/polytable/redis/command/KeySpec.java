package io.polytable.redis.command;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One key specification: where the search for keys begins, how it finds them, and its flags. */
public record KeySpec(
        Begin begin,
        Find find,
        Set<KeyFlag> flags,
        @Nullable String notes) {
    public sealed interface Begin {
        record Index(int index) implements Begin {}

        /**
         * Behind the keyword, searched from a position on; a negative position counts from the end and searches
         * backwards.
         */
        record Keyword(String keyword, int from) implements Begin {}

        /** No rule describes it. */
        record Unknown() implements Begin {}
    }

    public sealed interface Find {
        /**
         * {@code last} is relative to the beginning, or to the end when negative; {@code limit} divides the remaining
         * words.
         */
        record Range(int last, int step, int limit) implements Find {}

        /** A word holds the number of keys; indexes are relative to the beginning. */
        record Counted(int countIndex, int first, int step) implements Find {}

        record Unknown() implements Find {}
    }
}
