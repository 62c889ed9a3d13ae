package io.polytable.conformance.history;

import java.util.List;
import java.util.Random;

/** Seeded random choices. */
public final class Dice {
    private final Random random;

    public Dice(long seed) {
        // Adjacent seeds of Random produce similar first values; the multiplication separates them.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** True in so many of a hundred throws. */
    public boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    public <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Bytes of any value, one char each. */
    public String bytes(int length) {
        StringBuilder out = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            out.append((char) random.nextInt(256));
        }
        return out.toString();
    }

    Random random() {
        return random;
    }
}
