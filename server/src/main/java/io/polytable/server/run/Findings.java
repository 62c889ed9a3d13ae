package io.polytable.server.run;

import java.util.List;

/** The scope of a check and the problems it found. */
public record Findings(String summary, List<String> problems) {
    public Findings {
        problems = List.copyOf(problems);
    }

    public boolean isClean() {
        return problems.isEmpty();
    }

    /** Lines for a person: each problem, then the summary. */
    public String text() {
        return isClean() ? summary : String.join("\n", problems) + "\n" + summary;
    }
}
