package io.polytable.server.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody probably meant. */
public final class Spelling {
    private Spelling() {}

    /** The nearest candidate, unless even that one is too far away to be a misspelling. */
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        int tolerated = Math.max(2, word.length() / 4);
        return candidates.stream()
                .filter(candidate -> distance(word, candidate) <= tolerated)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** The sentence's tail that offers the nearest candidate; empty where there is none. */
    static String didYouMean(Optional<String> nearest) {
        return nearest.map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** Insertions, deletions and replacements between two words; one row of the usual table at a time. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        Arrays.setAll(previous, column -> column);
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                int moved = Math.min(previous[column], current[column - 1]) + 1;
                current[column] = Math.min(replaced, moved);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
