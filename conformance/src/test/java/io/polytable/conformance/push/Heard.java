package io.polytable.conformance.push;

import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The replies and pushes that one connection received between two tokens, each in order. */
record Heard(List<String> replies, List<String> pushes) {
    /**
     * Splits what came; in RESP2 all of it counts as replies.
     *
     * @param unordered whether the items of an array came in the order of a hash table: PUBSUB CHANNELS
     */
    static Heard of(List<Answer> answers, boolean unordered) {
        List<String> replies = new ArrayList<>();
        List<String> pushes = new ArrayList<>();
        for (Answer answer : answers) {
            Resp tree = answer.tree();
            if (unordered && tree instanceof Resp.Many many) {
                List<String> items =
                        many.items().stream().map(Resp::encoded).sorted().toList();
                replies.add(many.kind() + String.join("", items));
            } else {
                (tree.kind() == '>' ? pushes : replies).add(answer.bytes());
            }
        }
        return new Heard(inOneOrder(replies), inOneOrder(pushes));
    }

    /** Patterns that match the same message stand in the order of a hash table. */
    private static List<String> inOneOrder(List<String> all) {
        List<String> ordered = new ArrayList<>();
        List<String> alike = new ArrayList<>();
        String last = "";
        for (String each : all) {
            String message = messageOf(each);
            if (message.isEmpty() || !message.equals(last)) {
                alike.sort(Comparator.naturalOrder());
                ordered.addAll(alike);
                alike.clear();
            }
            alike.add(each);
            last = message;
        }
        alike.sort(Comparator.naturalOrder());
        ordered.addAll(alike);
        return ordered;
    }

    /** Channel and payload of what came through a pattern. */
    private static String messageOf(String bytes) {
        int pattern = bytes.indexOf("pmessage\r\n");
        if (pattern < 0) {
            return "";
        }
        int end = bytes.indexOf("\r\n", bytes.indexOf("\r\n", pattern + 10) + 2);
        return bytes.substring(end);
    }

    boolean isNothing() {
        return replies.isEmpty() && pushes.isEmpty();
    }

    @Override
    public String toString() {
        return (replies + " | " + pushes).replace("\r\n", " ");
    }
}
