package io.polytable.conformance.linearizability;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Sequential models of the types of keys. */
final class Models {
    private static final String NIL = Operation.NOTHING;

    private Models() {}

    /** INCR, GETSET, GET, and CAS old new: WATCH, GET, MULTI, SET, EXEC, answered with what was read and whether it was set. */
    static final Model<String> STRING = new Model<>() {
        @Override
        public String initial() {
            return NIL;
        }

        @Override
        public Step<String> apply(String state, List<String> words) {
            return switch (words.get(0)) {
                case "INCR" -> {
                    String sum = Long.toString((state.equals(NIL) ? 0 : Long.parseLong(state)) + 1);
                    yield new Step<>(sum, sum);
                }
                case "GETSET" -> new Step<>(words.get(1), state);
                case "GET" -> new Step<>(state, state);
                case "CAS" -> new Step<>(words.get(1), "set after " + state);
                default -> throw new IllegalArgumentException(words.toString());
            };
        }

        /** EXEC may be refused because of anything that happened to the key since WATCH; then it has done nothing. */
        @Override
        public boolean allows(String state, Operation operation) {
            return operation.answer().equals("refused") || Model.super.allows(state, operation);
        }

        @Override
        public String next(String state, Operation operation) {
            return operation.answer().equals("refused") ? state : Model.super.next(state, operation);
        }
    };

    /** LPUSH, RPUSH, LPOP, RPOP, LLEN. */
    static final Model<List<String>> LIST = new Model<>() {
        @Override
        public List<String> initial() {
            return List.of();
        }

        @Override
        public Step<List<String>> apply(List<String> state, List<String> words) {
            List<String> next = new ArrayList<>(state);
            String answer;
            switch (words.get(0)) {
                case "LPUSH", "RPUSH" -> {
                    next.add(words.get(0).equals("LPUSH") ? 0 : next.size(), words.get(1));
                    answer = Integer.toString(next.size());
                }
                case "LPOP" -> answer = next.isEmpty() ? NIL : next.remove(0);
                case "RPOP" -> answer = next.isEmpty() ? NIL : next.remove(next.size() - 1);
                case "LLEN" -> answer = Integer.toString(next.size());
                default -> throw new IllegalArgumentException(words.toString());
            }
            return new Step<>(List.copyOf(next), answer);
        }
    };

    /** SADD, SREM, SISMEMBER, SCARD. */
    static final Model<Set<String>> SET = new Model<>() {
        @Override
        public Set<String> initial() {
            return Set.of();
        }

        @Override
        public Step<Set<String>> apply(Set<String> state, List<String> words) {
            Set<String> next = new TreeSet<>(state);
            int answer = switch (words.get(0)) {
                case "SADD" -> next.add(words.get(1)) ? 1 : 0;
                case "SREM" -> next.remove(words.get(1)) ? 1 : 0;
                case "SISMEMBER" -> next.contains(words.get(1)) ? 1 : 0;
                case "SCARD" -> next.size();
                default -> throw new IllegalArgumentException(words.toString());
            };
            return new Step<>(next, Integer.toString(answer));
        }
    };

    /** What of a stream can be told without its times: how many entries it has, and the last id, absent while it is not known. */
    record Log(long entries, String last) {}

    /** XADD with a generated id, which must be larger than all before; XLEN. */
    static final Model<Log> STREAM = new Model<>() {
        private static final String UNKNOWN = "";

        @Override
        public Log initial() {
            return new Log(0, "0-0");
        }

        @Override
        public Step<Log> apply(Log state, List<String> words) {
            return switch (words.get(0)) {
                // Without its answer nobody knows the id; the next one that is known is larger anyway.
                case "XADD" -> new Step<>(new Log(state.entries + 1, state.last), UNKNOWN);
                case "XLEN" -> new Step<>(state, Long.toString(state.entries));
                default -> throw new IllegalArgumentException(words.toString());
            };
        }

        @Override
        public boolean allows(Log state, Operation operation) {
            return operation.name().equals("XADD")
                    ? compare(operation.answer(), state.last) > 0
                    : Model.super.allows(state, operation);
        }

        @Override
        public Log next(Log state, Operation operation) {
            boolean known = operation.name().equals("XADD") && operation.isAnswered();
            return known
                    ? new Log(state.entries + 1, operation.answer())
                    : apply(state, operation.words()).state();
        }

        private static int compare(String one, String other) {
            String[] left = one.split("-", 2);
            String[] right = other.split("-", 2);
            int byTime = Long.compare(Long.parseLong(left[0]), Long.parseLong(right[0]));
            return byTime != 0 ? byTime : Long.compare(Long.parseLong(left[1]), Long.parseLong(right[1]));
        }
    };

    /** BOTH: MULTI, INCR of two keys, EXEC; LOOK: MGET of them. Nobody may see one without the other. */
    static final Model<Long> PAIR = new Model<>() {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Step<Long> apply(Long state, List<String> words) {
            return switch (words.get(0)) {
                case "BOTH" -> new Step<>(state + 1, (state + 1) + " " + (state + 1));
                case "LOOK" -> new Step<>(state, state == 0 ? NIL + " " + NIL : state + " " + state);
                default -> throw new IllegalArgumentException(words.toString());
            };
        }
    };
}
