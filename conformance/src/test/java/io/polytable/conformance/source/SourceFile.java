package io.polytable.conformance.source;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A text file of the repository; the path is relative to its root, with slashes. */
public record SourceFile(String path, String text) {
    public boolean isJava() {
        return path.endsWith(".java");
    }

    public boolean isMarkdown() {
        return path.endsWith(".md");
    }

    public List<String> lines() {
        return text.lines().toList();
    }

    /** Where a pattern occurs, as {@code path:line: text}. */
    public List<String> findings(Pattern pattern) {
        List<String> found = new ArrayList<>();
        List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            if (pattern.matcher(lines.get(i)).find()) {
                found.add(path + ":" + (i + 1) + ": " + lines.get(i).strip());
            }
        }
        return found;
    }
}
