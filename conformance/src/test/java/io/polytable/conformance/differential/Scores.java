package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/** Finds the scores in a reply of the reference and reformats them as 7.2 does. RESP3 marks them, RESP2 does not. */
final class Scores {
    private Scores() {}

    static Answer rewrite(List<String> words, Answer answer) {
        Resp tree = answer.tree();
        // Positions are long doubles, which both versions write alike.
        boolean isPosition = words.get(0).toUpperCase(Locale.ROOT).startsWith("GEO");
        // One that a transaction queued has no score yet.
        boolean isQueued = tree.equals(new Resp.Line('+', "QUEUED"));
        if (tree.isError() || tree.isNull() || isPosition || isQueued) {
            return answer;
        }
        Resp marked = marked(tree);
        return Answer.of(marked.equals(tree) ? unmarked(words, tree) : marked);
    }

    /** The score of a text reply, in 7.2's digits. */
    static String rewrite(String score) {
        return DoubleText.of(DoubleText.parse(score));
    }

    private static Resp marked(Resp tree) {
        if (tree instanceof Resp.Line line && line.kind() == ',') {
            return new Resp.Line(',', rewrite(line.text()));
        }
        if (tree instanceof Resp.Many many) {
            return new Resp.Many(
                    many.kind(), many.items().stream().map(Scores::marked).toList());
        }
        return tree;
    }

    private static Resp unmarked(List<String> words, Resp tree) {
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "ZSCORE", "ZINCRBY", "ZADD" -> bulk(tree);
            case "ZMSCORE" -> some(tree, i -> true);
            case "ZPOPMIN", "ZPOPMAX" -> some(tree, i -> i % 2 == 1);
            case "BZPOPMIN", "BZPOPMAX" -> some(tree, i -> i == 2);
            case "ZMPOP", "BZMPOP" -> popped(tree);
            case "ZRANGE",
                    "ZREVRANGE",
                    "ZRANGEBYSCORE",
                    "ZREVRANGEBYSCORE",
                    "ZUNION",
                    "ZINTER",
                    "ZDIFF",
                    "ZRANDMEMBER" -> hasOption(words) ? some(tree, i -> i % 2 == 1) : tree;
            default -> tree;
        };
    }

    private static boolean hasOption(List<String> words) {
        return words.stream().skip(firstOption(words)).anyMatch(word -> word.equalsIgnoreCase("WITHSCORES"));
    }

    /** A key may have the option's name. */
    private static int firstOption(List<String> words) {
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "ZUNION", "ZINTER", "ZDIFF" -> 2 + Integer.parseInt(words.get(1));
            case "ZRANDMEMBER" -> 3;
            default -> 4;
        };
    }

    private static Resp popped(Resp tree) {
        List<Resp> pairs = tree.items().get(1).items().stream()
                .map(pair -> some(pair, i -> i == 1))
                .toList();
        return new Resp.Many('*', List.of(tree.items().get(0), new Resp.Many('*', pairs)));
    }

    private static Resp some(Resp tree, IntPredicate isScore) {
        if (!(tree instanceof Resp.Many many)) {
            return tree;
        }
        List<Resp> items = new ArrayList<>();
        for (int i = 0; i < many.items().size(); i++) {
            Resp item = many.items().get(i);
            items.add(isScore.test(i) ? bulk(item) : item);
        }
        return new Resp.Many(many.kind(), items);
    }

    private static Resp bulk(Resp item) {
        return item instanceof Resp.Blob blob && blob.kind() == '$' ? Resp.bulk(rewrite(blob.text())) : item;
    }
}
