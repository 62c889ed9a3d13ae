package io.polytable.conformance.differential;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Compares the content of two servers: in each database the keys, and for each key type, expiry and content. */
final class KeySpaces {
    static final int DATABASES = 16;

    private final RespServer reference;
    private final RespServer subject;
    private final Dialect dialect;

    KeySpaces(RespServer reference, RespServer subject, Dialect dialect) {
        this.reference = reference;
        this.subject = subject;
        this.dialect = dialect;
    }

    Optional<Mismatch> compare(int afterStep) {
        try (Speaker theirs = new Speaker(reference, 1);
                Speaker ours = new Speaker(subject, 1)) {
            SortedSet<Integer> used = used(theirs);
            used.addAll(used(ours));
            for (int db : used) {
                Optional<Mismatch> found = database(afterStep, db, theirs, ours);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** The databases that hold anything, asked in one round trip: most are empty, and this is done very often. */
    private static SortedSet<Integer> used(Speaker speaker) {
        List<List<String>> questions = new ArrayList<>();
        for (int db = 0; db < DATABASES; db++) {
            questions.add(List.of("SELECT", Integer.toString(db)));
            questions.add(List.of("DBSIZE"));
        }
        List<Answer> answers = speaker.pipeline(0, questions);
        SortedSet<Integer> used = new TreeSet<>();
        for (int db = 0; db < DATABASES; db++) {
            if (answers.get(2 * db + 1).tree().number() > 0) {
                used.add(db);
            }
        }
        return used;
    }

    private Optional<Mismatch> database(int afterStep, int db, Speaker theirs, Speaker ours) {
        List<String> select = List.of("SELECT", Integer.toString(db));
        theirs.call(0, select);
        ours.call(0, select);
        SortedSet<String> keys = Iteration.of(theirs, Iteration.ofDatabase(0)).elements();
        SortedSet<String> given = Iteration.of(ours, Iteration.ofDatabase(0)).elements();
        if (!keys.equals(given)) {
            return Optional.of(new Mismatch(afterStep, "keys of db " + db, keys.toString(), given.toString()));
        }
        String miscounted = Counting.complaint(ours, 0);
        if (!miscounted.isEmpty()) {
            return Optional.of(new Mismatch(afterStep, "size of db " + db, Integer.toString(keys.size()), miscounted));
        }
        List<List<String>> questions = new ArrayList<>();
        for (String key : keys) {
            questions.add(List.of("TYPE", key));
            questions.add(List.of("PEXPIRETIME", key));
            questions.addAll(content(theirs.call(0, List.of("TYPE", key)).tree().text(), key));
        }
        return ask(afterStep, db, questions, theirs, ours);
    }

    static List<List<String>> content(String type, String key) {
        return switch (type) {
            case "string" -> List.of(List.of("GET", key), List.of("STRLEN", key));
            case "hash" -> List.of(List.of("HGETALL", key), List.of("HLEN", key));
            case "list" ->
                List.of(List.of("LRANGE", key, "0", "-1"), List.of("LINDEX", key, "-2"), List.of("LLEN", key));
            case "set" -> List.of(List.of("SMEMBERS", key), List.of("SCARD", key));
            case "zset" ->
                List.of(
                        List.of("ZRANGE", key, "0", "-1", "WITHSCORES"),
                        List.of("ZREVRANGE", key, "0", "-1"),
                        List.of("ZRANGEBYSCORE", key, "-inf", "+inf", "LIMIT", "3", "5"),
                        List.of("ZCOUNT", key, "(-inf", "5"),
                        List.of("ZCARD", key));
            case "stream" ->
                List.of(
                        List.of("XRANGE", key, "-", "+"),
                        List.of("XREVRANGE", key, "+", "-", "COUNT", "3"),
                        List.of("XINFO", "STREAM", key),
                        List.of("XINFO", "STREAM", key, "FULL", "COUNT", "0"),
                        List.of("XINFO", "GROUPS", key));
            default -> List.of();
        };
    }

    private Optional<Mismatch> ask(int afterStep, int db, List<List<String>> questions, Speaker theirs, Speaker ours) {
        List<Answer> expected = dialect.expected(theirs, 0, questions);
        List<Answer> given = ours.pipeline(0, questions);
        for (int i = 0; i < questions.size(); i++) {
            List<String> words = questions.get(i);
            boolean isEqual = expected.get(i).bytes().equals(given.get(i).bytes());
            if (!Likeness.of(words).same(words, expected.get(i), given.get(i))
                    || (!isEqual && PackedOrder.applies(theirs, 0, words))) {
                String what = "key space of db " + db + ": " + String.join(" ", words);
                return Optional.of(new Mismatch(
                        afterStep,
                        what,
                        expected.get(i).toString(),
                        given.get(i).toString()));
            }
        }
        return Optional.empty();
    }
}
