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

        /** After the keyword, looked for from a word on; negative: from that far before the end, backwards. */
        record Keyword(String keyword, int from) implements Begin {}

        /** Nowhere a rule could say. */
        record Unknown() implements Begin {}
    }

    public sealed interface Find {
        /** Last is relative to the beginning, or from the end when negative; limit divides what is left. */
        record Range(int last, int step, int limit) implements Find {}

        /** A word tells how many; indexes are relative to the beginning. */
        record Counted(int countIndex, int first, int step) implements Find {}

        record Unknown() implements Find {}
    }
}
