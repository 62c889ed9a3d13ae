package io.polytable.frontend;

import java.util.ArrayList;
import java.util.List;

/** The scope of a check and the problems it found. */
public record Findings(String summary, List<String> problems) {
    public Findings {
        problems = List.copyOf(problems);
    }

    /** The first of the problems, and a line that counts the others. */
    public static Findings of(String summary, List<?> first, long count) {
        List<String> problems =
                new ArrayList<>(first.stream().map(String::valueOf).toList());
        if (count > problems.size()) {
            problems.add("and " + (count - problems.size()) + " more");
        }
        return new Findings(summary, problems);
    }

    /** As what a repair left, of so many findings before. */
    public Findings repaired(long count) {
        return new Findings(summary + ", repaired " + count, problems);
    }

    public boolean isClean() {
        return problems.isEmpty();
    }

    /** Lines for a person: each problem, then the summary. */
    public String text() {
        return isClean() ? summary : String.join("\n", problems) + "\n" + summary;
    }
}
