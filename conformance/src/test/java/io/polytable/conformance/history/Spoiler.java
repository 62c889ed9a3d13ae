package io.polytable.conformance.history;

import java.util.Collections;
import java.util.List;

/** Makes a valid command invalid in one small way: arity, order, a wrong word. */
final class Spoiler {
    private Spoiler() {}

    static void spoil(List<String> words, Dice dice) {
        // The cursor of a scan stays: any other number means something else to every server.
        int first = words.get(0).endsWith("SCAN") ? 3 : 1;
        if (words.size() <= first) {
            words.add(junk(dice));
            return;
        }
        int at = first + dice.below(words.size() - first);
        // A value must not become a time to live: then it would depend on speed which reply comes.
        boolean maySwap = !words.get(0).contains("SET");
        switch (dice.below(maySwap ? 5 : 4)) {
            case 0 -> words.remove(at);
            case 1 -> words.add(at, words.get(at));
            case 2 -> words.add(junk(dice));
            case 3 -> words.set(at, junk(dice));
            default -> Collections.swap(words, at, first + dice.below(words.size() - first));
        }
    }

    private static String junk(Dice dice) {
        return dice.pick(
                "junk", "", "-1", "0", "NX", "GT", "LIMIT", "WITHSCORES", "9223372036854775807", "nan", "\u0000");
    }
}
