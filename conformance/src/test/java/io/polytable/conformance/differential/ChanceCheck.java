package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Validates a random reply against the data it must have been drawn from. */
final class ChanceCheck {
    private ChanceCheck() {}

    /** The error in the reply, if any; queries the server that returned it. */
    static Optional<String> complaint(Speaker speaker, int connection, List<String> words, Answer answer) {
        if (answer.tree().isError()) {
            return Optional.empty();
        }
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "RANDOMKEY" -> key(speaker, connection, answer.tree());
            case "HRANDFIELD" ->
                drawn(
                        words,
                        answer.tree(),
                        pairs(speaker.call(connection, hash(words)).tree()));
            case "SRANDMEMBER" -> drawn(words, answer.tree(), members(speaker, connection, words.get(1)));
            case "ZRANDMEMBER" -> member(speaker, connection, words, answer);
            default -> throw new AssertionError("No chance in " + words.get(0));
        };
    }

    private static Optional<String> key(Speaker speaker, int connection, Resp reply) {
        if (reply.isNull()) {
            boolean empty = speaker.call(connection, List.of("KEYS", "*"))
                    .tree()
                    .items()
                    .isEmpty();
            return empty ? Optional.empty() : Optional.of("null, but there are keys");
        }
        boolean exists =
                speaker.call(connection, List.of("EXISTS", reply.text())).tree().number() == 1;
        return exists ? Optional.empty() : Optional.of("a key that does not exist");
    }

    /** The digits of a score are compared elsewhere; here it only must be the member's. */
    private static Optional<String> member(Speaker speaker, int connection, List<String> words, Answer answer) {
        List<String> everything = List.of("ZRANGE", words.get(1), "0", "-1", "WITHSCORES");
        Answer content = Scores.rewrite(everything, speaker.call(connection, everything));
        return drawn(words, Scores.rewrite(words, answer).tree(), pairs(content.tree()));
    }

    /** A member has no value: it stands for its own. */
    private static Map<String, String> members(Speaker speaker, int connection, String key) {
        Map<String, String> content = new HashMap<>();
        Resp members = speaker.call(connection, List.of("SMEMBERS", key)).tree();
        members.texts().forEach(member -> content.put(member, member));
        return content;
    }

    private static List<String> hash(List<String> words) {
        return List.of("HGETALL", words.get(1));
    }

    private static Optional<String> drawn(List<String> words, Resp reply, Map<String, String> content) {
        if (words.size() == 2) {
            boolean fits = reply.isNull() ? content.isEmpty() : content.containsKey(reply.text());
            return fits ? Optional.empty() : Optional.of("not one of " + content.keySet());
        }
        boolean withValues = words.size() > 3;
        List<String> names = new ArrayList<>();
        for (List<String> pair : withValues ? listOfPairs(reply) : singles(reply)) {
            names.add(pair.get(0));
            String value = content.get(pair.get(0));
            if (value == null || (withValues && !value.equals(pair.get(1)))) {
                return Optional.of(pair + " is not in " + content);
            }
        }
        return rightCount(Long.parseLong(words.get(2)), names, content.size());
    }

    private static Optional<String> rightCount(long wanted, List<String> names, int size) {
        long expected = wanted >= 0 ? Math.min(wanted, size) : size == 0 ? 0 : -wanted;
        if (names.size() != expected) {
            return Optional.of(names.size() + " drawn, not " + expected);
        }
        boolean repeats = new HashSet<>(names).size() < names.size();
        return wanted >= 0 && repeats ? Optional.of("drawn twice: " + names) : Optional.empty();
    }

    private static Map<String, String> pairs(Resp reply) {
        Map<String, String> content = new HashMap<>();
        listOfPairs(reply).forEach(pair -> content.put(pair.get(0), pair.get(1)));
        return content;
    }

    private static List<List<String>> singles(Resp reply) {
        return reply.texts().stream().map(List::of).toList();
    }

    /** RESP2 answers names and values in turn, RESP3 nests the pairs of arrays and has maps. */
    private static List<List<String>> listOfPairs(Resp reply) {
        List<Resp> items = reply.items();
        if (!items.isEmpty() && items.get(0) instanceof Resp.Many) {
            return items.stream().map(Resp::texts).toList();
        }
        List<List<String>> pairs = new ArrayList<>();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            pairs.add(List.of(items.get(i).text(), items.get(i + 1).text()));
        }
        return pairs;
    }
}
