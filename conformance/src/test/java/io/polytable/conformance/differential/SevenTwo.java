package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Translates replies of 7.0, the reference, to 7.2, which the server under test follows. Differences that can be
 * computed are computed here, so that they are still checked in full: the format of doubles, {@code ZRANK ...
 * WITHSCORE}, the end of help texts, and which commands create the consumers they name. The others are in the resource
 * file.
 */
final class SevenTwo implements Dialect {
    private final KnownDifferences known = KnownDifferences.load();

    @Override
    public List<Answer> expected(Speaker reference, int connection, List<List<String>> commands) {
        if (commands.stream().noneMatch(words -> ranksWithOption(words) || namesConsumer(words))) {
            List<Answer> answers = reference.pipeline(connection, commands);
            List<Answer> rewritten = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                rewritten.add(written(commands.get(i), answers.get(i)));
            }
            return rewritten;
        }
        List<Answer> answers = new ArrayList<>();
        for (List<String> words : commands) {
            answers.add(
                    ranksWithOption(words)
                            ? rank(reference, connection, words)
                            : written(words, reference.call(connection, words)));
            if (namesConsumer(words) && !answers.get(answers.size() - 1).tree().isError()) {
                createConsumers(reference, connection, words);
            }
        }
        return answers;
    }

    /** The answer as 7.2 would write it. */
    private static Answer written(List<String> words, Answer answer) {
        return Scores.rewrite(words, help(words, answer));
    }

    /** In 7.2 these create their consumer; in 7.0 only if there is something to read or to claim. */
    private static boolean namesConsumer(List<String> words) {
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "XREADGROUP", "XCLAIM", "XAUTOCLAIM" -> words.size() > 4;
            default -> false;
        };
    }

    private static void createConsumers(Speaker reference, int connection, List<String> words) {
        if (!words.get(0).equalsIgnoreCase("XREADGROUP")) {
            createConsumer(reference, connection, words.get(1), words);
            return;
        }
        int at = words.indexOf("STREAMS") + 1;
        for (String key : words.subList(at, at + (words.size() - at) / 2)) {
            createConsumer(reference, connection, key, words);
        }
    }

    private static void createConsumer(Speaker reference, int connection, String key, List<String> words) {
        reference.call(connection, List.of("XGROUP", "CREATECONSUMER", key, words.get(2), words.get(3)));
    }

    @Override
    public Optional<Boolean> verdict(List<String> words, Answer reference, Answer subject) {
        return known.verdict(words, reference, subject);
    }

    /** The last line of every help lost a letter. */
    private static Answer help(List<String> words, Answer answer) {
        if (words.size() != 2 || !words.get(1).equalsIgnoreCase("HELP") || !(answer.tree() instanceof Resp.Many many)) {
            return answer;
        }
        List<Resp> lines = new ArrayList<>(many.items());
        int last = lines.size() - 1;
        if (last >= 0 && lines.get(last).equals(new Resp.Line('+', "    Prints this help."))) {
            lines.set(last, new Resp.Line('+', "    Print this help."));
        }
        return Answer.of(new Resp.Many(many.kind(), lines));
    }

    private static boolean ranksWithOption(List<String> words) {
        String name = words.get(0).toUpperCase(Locale.ROOT);
        return words.size() == 4 && (name.equals("ZRANK") || name.equals("ZREVRANK"));
    }

    /** The option is new in 7.2: rank and score asked for one after the other. */
    private static Answer rank(Speaker reference, int connection, List<String> words) {
        if (!words.get(3).equalsIgnoreCase("WITHSCORE")) {
            return Answer.of(new Resp.Line('-', "ERR syntax error"));
        }
        Answer rank = reference.call(connection, words.subList(0, 3));
        if (rank.tree().isError()) {
            return rank;
        }
        if (rank.tree().isNull()) {
            return rank.tree().kind() == '_' ? rank : Answer.of(new Resp.Absent('*'));
        }
        List<String> score = List.of("ZSCORE", words.get(1), words.get(2));
        Resp written = Scores.rewrite(score, reference.call(connection, score)).tree();
        return Answer.of(new Resp.Many('*', List.of(rank.tree(), written)));
    }
}
