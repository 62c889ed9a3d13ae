package io.polytable.conformance.differential;

import io.polytable.conformance.history.Step;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The result of a whole scan: page sizes and repetition are implementation-defined, and mostly the order. The scores of ZSCAN
 * are compared as numbers, since 7.2 itself formats them in two ways, depending on the encoding of the set.
 */
record Iteration(List<String> order, String error) {
    private static final int PAGES_MAX = 100_000;

    /** The scan that sees every key of the database. */
    static Step.Walk ofDatabase(int connection) {
        return new Step.Walk(connection, List.of("SCAN", "0", "COUNT", "1000"), 1);
    }

    static Iteration of(Speaker speaker, Step.Walk walk) {
        List<String> elements = new ArrayList<>();
        List<String> words = new ArrayList<>(walk.words());
        for (int page = 0; page < PAGES_MAX; page++) {
            Answer answer = speaker.call(walk.connection(), words);
            if (answer.tree().isError()) {
                return new Iteration(elements, answer.bytes());
            }
            collect(walk, answer.tree().items().get(1), elements);
            String cursor = answer.tree().items().get(0).text();
            if (cursor.equals("0")) {
                return new Iteration(elements, "");
            }
            words.set(walk.cursorAt(), cursor);
        }
        return new Iteration(elements, "no end after " + PAGES_MAX + " pages");
    }

    SortedSet<String> elements() {
        return new TreeSet<>(order);
    }

    /** Whether the other has the same elements, in whatever order. */
    boolean isLike(Iteration other) {
        return elements().equals(other.elements()) && error.equals(other.error);
    }

    private static void collect(Step.Walk walk, Resp page, List<String> elements) {
        String name = walk.words().get(0).toUpperCase(Locale.ROOT);
        if (name.equals("SCAN") || name.equals("SSCAN")) {
            elements.addAll(page.texts());
            return;
        }
        List<String> texts = page.texts();
        for (int i = 0; i + 1 < texts.size(); i += 2) {
            String value = name.equals("ZSCAN") ? Scores.rewrite(texts.get(i + 1)) : texts.get(i + 1);
            elements.add(RespText.of(List.of(texts.get(i), value)));
        }
    }
}
