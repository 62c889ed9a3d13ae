package io.polytable.table.testkit.history;

import io.polytable.table.TableStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a history on a fresh store and on the oracle, and finds the first difference. */
interface Comparison {
    /**
     * The first step with another result than the oracle's, or with an exception.
     *
     * @param step the number of steps before it
     */
    record Difference(int step, String text, Optional<Throwable> cause) {}

    Optional<Difference> firstDifference(List<Step> steps);

    static Optional<Difference> compare(List<Step> steps, Supplier<TableStore> opener, Runnable settler) {
        int done = 0;
        try (World oracle = new OracleWorld();
                World real = new StoreWorld(opener, settler)) {
            for (; done < steps.size(); done++) {
                Step step = steps.get(done);
                String expected = step.on(oracle);
                String actual = step.on(real);
                if (!actual.equals(expected)) {
                    String text = "%s%n    answered %s%n    expected %s".formatted(step, actual, expected);
                    return Optional.of(new Difference(done, text, Optional.empty()));
                }
            }
            return Optional.empty();
        } catch (RuntimeException | AssertionError e) {
            String text = (done < steps.size() ? steps.get(done) : "closing the store") + " threw " + e;
            return Optional.of(new Difference(done, text, Optional.of(e)));
        }
    }

    /** Fails with the shortest history that shows a difference, if there is one. */
    default void require(String seed, List<Step> steps) {
        Optional<Difference> found = firstDifference(steps);
        if (found.isPresent()) {
            List<Step> upToIt = steps.subList(0, Math.min(found.get().step() + 1, steps.size()));
            List<Step> shortest = Reducer.reduce(
                    upToIt, candidate -> firstDifference(candidate).isPresent());
            throw failure(seed, found.get(), shortest, firstDifference(shortest));
        }
    }

    private static AssertionError failure(
            String seed, Difference found, List<Step> shortest, Optional<Difference> again) {
        StringBuilder text = new StringBuilder();
        text.append("%s, step %d: %s%n".formatted(seed, found.step(), found.text()));
        text.append("%d steps that are enough:%n".formatted(shortest.size()));
        shortest.forEach(step -> text.append("    %s%n".formatted(step)));
        text.append(again.map(difference -> "    then " + difference.text())
                .orElse("    but not when they were run once more"));
        return new AssertionError(
                text.toString(),
                again.flatMap(Difference::cause).or(found::cause).orElse(null));
    }
}
