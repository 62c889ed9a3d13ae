package io.polytable.frontend.setting;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the nearest name for a misspelled one. */
public final class Spelling {
    private Spelling() {}

    /** The nearest candidate, unless it is too far away for a misspelling. */
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        int tolerated = Math.max(2, word.length() / 4);
        return candidates.stream()
                .filter(candidate -> distance(word, candidate) <= tolerated)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** The end of the sentence that suggests the nearest candidate; empty if there is none. */
    static String didYouMean(Optional<String> nearest) {
        return nearest.map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** The edit distance (Levenshtein) of two words, computed row by row. */
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
