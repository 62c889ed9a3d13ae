package io.polytable.store.fluss.ownership;

import io.polytable.store.fluss.ownership.LogModel.Step;
import io.polytable.store.fluss.ownership.ModelledOwner.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every order in which some servers can take their steps. A server that crashed is one that takes no further step, and a
 * write that was delayed is one that comes late, also after its server crashed. So in every state all servers may have
 * crashed: whoever opens the log then must find everything that was acknowledged.
 */
final class Interleavings {
    private static final int VERIFIER = 9;

    private final LogModel.Rules rules;
    private final List<List<Work>> work;
    private final Set<Fingerprint> seen = new HashSet<>();
    private final Map<Fingerprint, Chain> chains = new HashMap<>();
    private final Map<Fingerprint, Local> locals = new HashMap<>();
    private Optional<String> loss = Optional.empty();

    /** Where a server is: what it was answered determines all else. */
    private record Local(
            int server,
            List<Object> answers,
            Fingerprint print,
            Optional<Step> next,
            boolean hasClaimed,
            List<RowSpan> acknowledged) {
        boolean isOver() {
            return next.isEmpty();
        }
    }

    /** What led to a state; put into words only when the history is told. */
    private record Event(int server, Step step, Object answer) {
        static final int READERS = -1;

        @Override
        public String toString() {
            return server == READERS
                    ? "readers see one write more"
                    : "server " + server + ": " + step + " -> " + LogModel.text(answer);
        }
    }

    @SuppressWarnings(
            "ArrayRecordComponent") // one for each server, never changed; states are told apart by fingerprint
    private record State(
            LogModel model,
            Local[] locals,
            @Nullable State before,
            @Nullable Event event) {
        Fingerprint fingerprint() {
            Fingerprint print = model.fingerprint();
            for (Local local : locals) {
                print = print.with(local.print());
            }
            return print;
        }

        List<String> history() {
            List<String> events = new ArrayList<>();
            for (State state = this; state != null && state.event() != null; state = state.before()) {
                events.add(0, state.event().toString());
            }
            return events;
        }
    }

    /** @param work what each server does when it owns the log */
    Interleavings(LogModel.Rules rules, List<List<Work>> work) {
        this.rules = rules;
        this.work = work;
    }

    int states() {
        return seen.size();
    }

    /** The first history that loses what was acknowledged. */
    Optional<String> loss() {
        return loss;
    }

    void explore() {
        Local[] begin = new Local[work.size()];
        Arrays.setAll(begin, server -> local(server, List.of(), Fingerprint.NONE.with("server " + server)));
        Deque<State> open = new ArrayDeque<>();
        open.push(new State(new LogModel(rules), begin, null, null));
        while (!open.isEmpty() && loss.isEmpty()) {
            State state = open.pop();
            if (seen.add(state.fingerprint())) {
                verify(state);
                expand(state, open);
            }
        }
    }

    private Local local(int server, List<Object> answers, Fingerprint print) {
        return locals.computeIfAbsent(print, unused -> {
            ReplayedServer replayed = ReplayedServer.replaying(server, 1, answers);
            ModelledOwner owner = new ModelledOwner(replayed);
            Optional<Step> next = owner.run(work.get(server));
            return new Local(server, answers, print, next, replayed.hasClaimed(), List.copyOf(owner.acknowledged()));
        });
    }

    private void expand(State state, Deque<State> open) {
        for (Local local : state.locals()) {
            if (!local.isOver() && isIndependent(state, local, local.next().get())) {
                open.push(after(state, local, local.next().get()));
                return;
            }
        }
        for (Local local : state.locals()) {
            if (!local.isOver() && mayBegin(state, local)) {
                open.push(after(state, local, local.next().get()));
            }
        }
        if (state.model().canCatchUp()) {
            LogModel changed = state.model().copy();
            changed.catchUp();
            open.push(new State(changed, state.locals(), state, new Event(Event.READERS, new Step.Pause(), 0L)));
        }
    }

    /** Servers with the same work are alike: it is enough that they begin in the order of their numbers. */
    private boolean mayBegin(State state, Local local) {
        int before = local.server() - 1;
        return before < 0
                || !local.answers().isEmpty()
                || !state.locals()[before].answers().isEmpty()
                || !work.get(before).equals(work.get(local.server()));
    }

    /** Whether the answer is the same whatever the others do: then no other order of this step needs to be looked at. */
    private boolean isIndependent(State state, Local local, Step step) {
        if (rules.lagging()) {
            return false;
        } else if (step instanceof Step.Candidates) {
            return Arrays.stream(state.locals()).allMatch(other -> other.isOver() || other.hasClaimed());
        }
        return step instanceof Step.Read read
                && read.keys().stream().allMatch(key -> isSettled(state, local.server(), key));
    }

    private boolean isSettled(State state, int reader, LogKey key) {
        if (key.owner() == 0) {
            return key.epoch() > 0; // claims of version 1 are no longer written, the lease is by everybody
        }
        int writer = ReplayedServer.numberOf(key.owner());
        return writer == reader
                || state.locals()[writer].isOver()
                || (isWrittenOnce(key) && state.model().isPresent(key));
    }

    private static boolean isWrittenOnce(LogKey key) {
        return key.seq() == LogKey.claim(1, 1).seq()
                || key.seq() == LogKey.confirmation(1, 1).seq();
    }

    private State after(State state, Local local, Step step) {
        LogModel changed = state.model().copy();
        Object answer = changed.perform(step);
        List<Object> answers = new ArrayList<>(local.answers());
        answers.add(answer);
        Local[] locals = state.locals().clone();
        locals[local.server()] = local(local.server(), answers, local.print().with(LogModel.text(answer)));
        return new State(changed, locals, state, new Event(local.server(), step, answer));
    }

    private void verify(State state) {
        for (Local local : state.locals()) {
            for (RowSpan record : local.acknowledged()) {
                Chain chain = chains.computeIfAbsent(
                        state.model().fingerprint(), print -> ModelledOwner.chainOf(state.model(), VERIFIER));
                if (!holds(chain, record)) {
                    loss = Optional.of(
                            record + " is not in " + chain + " after\n" + String.join("\n", state.history()));
                }
            }
        }
    }

    private static boolean holds(Chain chain, RowSpan record) {
        boolean inCheckpoint = chain.checkpoint() != 0 && chain.spans().get(0).firstPosition() > record.lastPosition();
        return inCheckpoint
                || chain.spans().stream()
                        .anyMatch(span -> span.epoch() == record.epoch()
                                && span.owner() == record.owner()
                                && span.firstSeq() <= record.firstSeq()
                                && span.lastSeq() >= record.lastSeq());
    }
}
