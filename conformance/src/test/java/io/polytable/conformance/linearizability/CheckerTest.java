package io.polytable.conformance.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checker accepts linearizable histories and rejects others. */
class CheckerTest {
    private static Operation call(int client, String line, String answer, long called, long returned) {
        return new Operation(client, Arrays.asList(line.split(" ", -1)), answer, called, returned);
    }

    private static boolean isString(Operation... history) {
        return Checker.isLinearizable(Models.STRING, List.of(history));
    }

    @Test
    void callsThatOverlapMayStandInAnyOrder() {
        assertThat(isString(call(1, "GETSET a", "b", 0, 10), call(2, "GETSET b", "nil", 5, 15)))
                .isTrue();
        assertThat(isString(call(1, "GETSET a", "nil", 0, 10), call(2, "GETSET b", "a", 5, 15)))
                .isTrue();
        assertThat(isString(call(1, "GETSET a", "nil", 0, 10), call(2, "GETSET b", "nil", 5, 15)))
                .as("a lost update")
                .isFalse();
    }

    @Test
    void whatWasAnsweredBeforeStandsBefore() {
        assertThat(isString(call(1, "GETSET a", "b", 0, 10), call(2, "GETSET b", "nil", 11, 15)))
                .as("the second is seen by the first, which had ended")
                .isFalse();
        assertThat(isString(call(1, "INCR", "1", 0, 10), call(2, "INCR", "2", 12, 20), call(3, "GET", "1", 21, 30)))
                .as("a stale read")
                .isFalse();
        assertThat(isString(call(1, "INCR", "1", 0, 10), call(2, "INCR", "2", 12, 20), call(3, "GET", "1", 15, 30)))
                .isTrue();
    }

    @Test
    void aDuplicateAndAnInventedValueAreRefused() {
        assertThat(isString(call(1, "INCR", "1", 0, 10), call(2, "INCR", "1", 5, 15)))
                .isFalse();
        assertThat(isString(call(1, "INCR", "1", 0, 10), call(2, "INCR", "3", 5, 15)))
                .isFalse();
    }

    @Test
    void aCallWithoutAnAnswerMayHaveHappenedOrNot() {
        Operation lost = call(1, "INCR", "", 0, Operation.NEVER);
        assertThat(isString(lost, call(2, "GET", "nil", 5, 10))).isTrue();
        assertThat(isString(lost, call(2, "GET", "1", 5, 10))).isTrue();
        assertThat(isString(lost, call(2, "GET", "1", 5, 10), call(2, "GET", "nil", 11, 12)))
                .as("it was seen and then gone")
                .isFalse();
        assertThat(isString(lost, call(2, "GET", "2", 5, 10))).isFalse();
    }

    @Test
    void anExchangeSucceedsOnlyOnWhatItRead() {
        assertThat(isString(
                        call(1, "GETSET 1", "nil", 0, 1),
                        call(1, "CAS 2", "set after 1", 2, 9),
                        call(2, "CAS 3", "set after 1", 3, 8)))
                .as("two exchanges of the same value")
                .isFalse();
        assertThat(isString(
                        call(1, "GETSET 1", "nil", 0, 1),
                        call(1, "CAS 2", "refused", 2, 9),
                        call(2, "CAS 3", "set after 1", 3, 8)))
                .isTrue();
    }

    @Test
    void elementsAreTakenOnceAndFromTheirEnd() {
        assertThat(Checker.isLinearizable(
                        Models.LIST,
                        List.of(call(1, "LPUSH a", "1", 0, 1), call(2, "RPOP", "a", 2, 5), call(3, "RPOP", "a", 3, 6))))
                .as("taken twice")
                .isFalse();
        assertThat(Checker.isLinearizable(
                        Models.LIST,
                        List.of(
                                call(1, "LPUSH a", "1", 0, 1),
                                call(1, "LPUSH b", "2", 2, 3),
                                call(2, "RPOP", "b", 4, 5))))
                .as("from the wrong end")
                .isFalse();
        assertThat(Checker.isLinearizable(
                        Models.SET, List.of(call(1, "SADD a", "1", 0, 5), call(2, "SADD a", "1", 1, 6))))
                .as("added twice")
                .isFalse();
    }

    @Test
    void idsGrowAndPairsAreSeenTogether() {
        assertThat(Checker.isLinearizable(
                        Models.STREAM, List.of(call(1, "XADD", "5-1", 0, 1), call(2, "XADD", "5-0", 2, 3))))
                .isFalse();
        assertThat(Checker.isLinearizable(
                        Models.STREAM, List.of(call(1, "XADD", "5-1", 0, 5), call(2, "XADD", "5-0", 2, 3))))
                .isTrue();
        assertThat(Checker.isLinearizable(
                        Models.PAIR, List.of(call(1, "BOTH", "1 1", 0, 9), call(2, "LOOK", "1 nil", 2, 3))))
                .as("half of a transaction")
                .isFalse();
    }

    /** Histories made by one clock that overlap by chance are explained; with one answer changed nearly all are not. */
    @Test
    void findsAWrongAnswerAmongManyCalls() {
        int refused = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            List<Operation> history = new ArrayList<>();
            List<String> state = Models.LIST.initial();
            long[] free = new long[4];
            for (int i = 0; i < 200; i++) {
                int client = random.nextInt(free.length);
                String line = random.nextInt(5) < 3 ? "LPUSH v" + i : random.nextBoolean() ? "RPOP" : "LPOP";
                Model.Step<List<String>> step = Models.LIST.apply(state, Arrays.asList(line.split(" ", -1)));
                long moment = 100L * (i + 1);
                long called = Math.max(free[client] + 1, moment - random.nextInt(300));
                // One client's calls do not overlap: its next one begins after this one's answer.
                long returned = moment + random.nextInt(150);
                if (called > moment) {
                    continue;
                }
                free[client] = returned;
                state = step.state();
                history.add(call(client, line, step.answer(), called, returned));
            }
            assertThat(Checker.isLinearizable(Models.LIST, history))
                    .as("seed %d", seed)
                    .isTrue();
            int at = random.nextInt(history.size());
            Operation right = history.get(at);
            String wrong =
                    right.name().equals("LPUSH") ? Integer.toString(Integer.parseInt(right.answer()) + 7) : "v-1";
            history.set(at, new Operation(right.client(), right.words(), wrong, right.called(), right.returned()));
            refused += Checker.isLinearizable(Models.LIST, history) ? 0 : 1;
        }
        assertThat(refused).isEqualTo(40);
    }
}
