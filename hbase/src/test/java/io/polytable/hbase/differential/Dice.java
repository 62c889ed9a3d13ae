package io.polytable.hbase.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Seeded choices. */
final class Dice {
    private final Random random;

    Dice(long seed) {
        // Neighbouring seeds of Random begin alike; the multiplication tears them apart.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    /** True in so many of a hundred throws. */
    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    <T> List<T> shuffled(List<T> all) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    <T> T pick(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
