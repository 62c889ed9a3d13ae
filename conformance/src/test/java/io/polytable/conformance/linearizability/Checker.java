package io.polytable.conformance.linearizability;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a linearization: an order of calls that explains all replies, by the algorithm of Wing and Gong with
 * Lowe's memoization of tried configurations (placed calls and resulting state). Overlapping calls may have any order;
 * a call that was answered before another began comes before it.
 *
 * @param <S> the model's states
 */
final class Checker<S> {
    /** With more memoized states than this the history is too complex to decide. */
    private static final int STATES_MAX = 2_000_000;

    private final Model<S> model;
    private final Event head = new Event(null, false);
    private final Set<Tried<S>> tried = new HashSet<>();
    private final Deque<Placed<S>> placed = new ArrayDeque<>();
    private final BitSet done = new BitSet();
    private S state;
    private int answersLeft;

    /** The start or the end of a call, in a list by time from which placed calls are removed. */
    private static final class Event {
        private final @Nullable Call call;
        private final boolean begins;
        private @Nullable Event before;
        private @Nullable Event after;

        Event(@Nullable Call call, boolean begins) {
            this.call = call;
            this.begins = begins;
        }

        void takeOut() {
            link(before, after);
        }

        void putBack() {
            link(before, this);
            link(this, after);
        }

        static void link(@Nullable Event left, @Nullable Event right) {
            if (left != null) {
                left.after = right;
            }
            if (right != null) {
                right.before = left;
            }
        }
    }

    private static final class Call {
        private final Operation operation;
        private final int number;
        private final Event begin = new Event(this, true);
        private final Event end = new Event(this, false);

        Call(Operation operation, int number) {
            this.operation = operation;
            this.number = number;
        }
    }

    private record Tried<S>(BitSet done, S state) {}

    private record Placed<S>(Call call, S before) {}

    private Checker(Model<S> model, List<Operation> history) {
        this.model = model;
        this.state = model.initial();
        record Moment(long at, boolean begins, Event event) {}
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            Call call = new Call(history.get(i), i);
            moments.add(new Moment(call.operation.called(), true, call.begin));
            if (call.operation.isAnswered()) {
                moments.add(new Moment(call.operation.returned(), false, call.end));
                answersLeft++;
            }
        }
        // At equal times starts come first: then the calls overlap, and no order is claimed that the clock cannot tell.
        moments.sort(Comparator.comparingLong(Moment::at).thenComparing(moment -> !moment.begins));
        Event last = head;
        for (Moment moment : moments) {
            Event.link(last, moment.event);
            last = moment.event;
        }
    }

    /** Whether the calls, all of one key, are linearizable. */
    static <S> boolean isLinearizable(Model<S> model, List<Operation> history) {
        return new Checker<>(model, history).run();
    }

    private boolean run() {
        Event event = head.after;
        while (answersLeft > 0) {
            if (event != null && event.begins) {
                event = tryToPlace(event) ? head.after : event.after;
            } else if (placed.isEmpty()) {
                return false;
            } else {
                // An answer was given before its call found a place, or nothing is left to be tried.
                event = takeBack().after;
            }
        }
        return true;
    }

    private boolean tryToPlace(Event event) {
        Call call = callOf(event);
        Operation operation = call.operation;
        if (operation.isAnswered() && !model.allows(state, operation)) {
            return false;
        }
        S next = model.next(state, operation);
        done.set(call.number);
        if (!tried.add(new Tried<>((BitSet) done.clone(), next))) {
            done.clear(call.number);
            return false;
        }
        if (tried.size() > STATES_MAX) {
            throw new AssertionError("more than " + STATES_MAX + " states: shorten the history");
        }
        placed.push(new Placed<>(call, state));
        state = next;
        call.begin.takeOut();
        if (operation.isAnswered()) {
            call.end.takeOut();
            answersLeft--;
        }
        return true;
    }

    private Event takeBack() {
        Placed<S> last = placed.pop();
        Call call = last.call;
        state = last.before;
        done.clear(call.number);
        if (call.operation.isAnswered()) {
            call.end.putBack();
            answersLeft++;
        }
        call.begin.putBack();
        return call.begin;
    }

    private static Call callOf(Event event) {
        Call call = event.call;
        if (call == null) {
            throw new IllegalStateException("the head of the list is no call");
        }
        return call;
    }
}
