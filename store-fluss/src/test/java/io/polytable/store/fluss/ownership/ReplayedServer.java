package io.polytable.store.fluss.ownership;

import io.polytable.store.fluss.ownership.LogModel.Step;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The table and the environment of one server. The first calls get the answers they are given; the call behind those
 * suspends the server. Run again with one answer more, the same code comes one call further: it is deterministic.
 */
final class ReplayedServer implements LogRows, Environment {
    private static final long NUMBERS = 1000;

    private final int number;
    private final int claimsMax;
    private final Function<Step, Object> answers;
    private int claims;
    private long hours;
    private int numbers;

    /** Not a failure: the server waits here until its next step is done. */
    static final class Suspended extends Error {
        private static final long serialVersionUID = 1L;

        private final transient Step step;

        Suspended(Step step) {
            super(null, null, false, false);
            this.step = step;
        }

        Step step() {
            return step;
        }
    }

    /** A server claims so often only, so that histories end. */
    static final class GaveUp extends Error {
        private static final long serialVersionUID = 1L;

        GaveUp() {
            super(null, null, false, false);
        }
    }

    /** Whose number it is that {@link #newNumber} gave out. */
    static int numberOf(long owner) {
        return (int) (owner / NUMBERS);
    }

    boolean hasClaimed() {
        return claims >= claimsMax;
    }

    private ReplayedServer(int number, int claimsMax, Function<Step, Object> answers) {
        this.number = number;
        this.claimsMax = claimsMax;
        this.answers = answers;
    }

    static ReplayedServer replaying(int number, int claimsMax, List<Object> answers) {
        var left = answers.iterator();
        return new ReplayedServer(number, claimsMax, step -> {
            if (!left.hasNext()) {
                throw new Suspended(step);
            }
            return left.next();
        });
    }

    /** Every step is done at once. */
    static ReplayedServer undisturbed(int number, LogModel model) {
        return new ReplayedServer(number, Integer.MAX_VALUE, model::perform);
    }

    private Object perform(Step step) {
        return answers.apply(step);
    }

    private long performCounted(Step step) {
        return (Long) answers.apply(step);
    }

    @Override
    public String name() {
        return "model";
    }

    @Override
    public long latestOffset() {
        if (claims >= claimsMax) {
            throw new GaveUp();
        }
        return performCounted(new Step.LatestOffset());
    }

    @Override
    public Optional<LogRow> read(LogKey key) {
        return readAll(List.of(key)).get(0);
    }

    @Override
    @SuppressWarnings("unchecked") // each step has one type of answer
    public List<Optional<LogRow>> readAll(List<LogKey> keys) {
        return keys.isEmpty() ? List.of() : (List<Optional<LogRow>>) perform(new Step.Read(keys));
    }

    @Override
    public long write(List<LogRow> rows) {
        long behind = 0;
        for (LogRow row : rows) {
            behind = Math.max(behind, performCounted(new Step.Write(row)));
        }
        return behind;
    }

    @Override
    public long remove(List<LogKey> keys) {
        long behind = 0;
        for (LogKey key : keys) {
            behind = Math.max(behind, performCounted(new Step.Remove(key)));
        }
        return behind;
    }

    @Override
    public void announce(long epoch, long owner) {
        Object unused = perform(new Step.Announce(epoch, owner));
        claims++;
    }

    @Override
    @SuppressWarnings("unchecked") // each step has one type of answer
    public List<Long> candidates(long epoch) {
        return (List<Long>) perform(new Step.Candidates(epoch));
    }

    @Override
    public long nanoTime() {
        return TimeUnit.HOURS.toNanos(++hours);
    }

    @Override
    public void pause(long millisMax) {
        Object unused = perform(new Step.Pause());
    }

    @Override
    public long newNumber() {
        return NUMBERS * number + ++numbers;
    }

    /** No lease protects anybody here: what it prevents, offsets must prevent too. */
    @Override
    public boolean isDead(long owner) {
        return true;
    }
}
