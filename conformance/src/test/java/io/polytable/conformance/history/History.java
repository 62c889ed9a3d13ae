package io.polytable.conformance.history;

import java.util.List;
import java.util.stream.Collectors;

/** The steps of one run, and the seed they came from. */
public record History(long seed, List<Step> steps) {
    public History {
        steps = List.copyOf(steps);
    }

    public History with(List<Step> fewer) {
        return new History(seed, fewer);
    }

    @Override
    public String toString() {
        return steps.stream().map(step -> "  " + step).collect(Collectors.joining("\n"));
    }
}
