package io.polytable.conformance.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * A command's syntax on one line, and the commands it stands for. Tokens are separated by one space:
 *
 * <pre>
 * NX        the word itself (no lower case letter in it)
 * key       a word of the vocabulary
 * key+      one or more of it
 * [ A | B ] one of these, or nothing
 * ( A | B ) one of these;  ( A B )+ once or more often
 * { A ; B } any of these in any order
 * </pre>
 */
final class Syntax {
    private static final int REPEATS_MAX = 4;

    private final List<String> tokens;
    private final Node root;
    private int at;

    private Syntax(String line) {
        this.tokens = List.of(line.strip().split(" +", -1));
        this.root = sequence();
        if (at != tokens.size()) {
            throw new IllegalArgumentException("Unbalanced: " + line);
        }
    }

    static Syntax parse(String line) {
        return new Syntax(line);
    }

    /** The command's name. */
    String name() {
        return tokens.get(0);
    }

    /** One command of this syntax; the vocabulary answers a slot with one or more words. */
    List<String> expand(Dice dice, Function<String, List<String>> vocabulary) {
        List<String> out = new ArrayList<>();
        root.write(dice, vocabulary, out);
        return out;
    }

    private sealed interface Node {
        void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out);
    }

    private record Literal(String word) implements Node {
        @Override
        public void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out) {
            out.add(word);
        }
    }

    private record Slot(String name) implements Node {
        @Override
        public void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out) {
            out.addAll(vocabulary.apply(name));
        }
    }

    private record Sequence(List<Node> parts) implements Node {
        @Override
        public void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out) {
            parts.forEach(part -> part.write(dice, vocabulary, out));
        }
    }

    private record OneOf(List<Node> choices, boolean optional) implements Node {
        @Override
        public void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out) {
            if (!optional || dice.percent(50)) {
                dice.pick(choices).write(dice, vocabulary, out);
            }
        }
    }

    private record Repeated(Node part) implements Node {
        @Override
        public void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out) {
            int times = 1 + dice.below(REPEATS_MAX);
            for (int i = 0; i < times; i++) {
                part.write(dice, vocabulary, out);
            }
        }
    }

    private record AnyOrder(List<Node> options) implements Node {
        @Override
        public void write(Dice dice, Function<String, List<String>> vocabulary, List<String> out) {
            List<Node> shuffled = new ArrayList<>(options);
            Collections.shuffle(shuffled, dice.random());
            for (Node option : shuffled) {
                if (dice.percent(30)) {
                    option.write(dice, vocabulary, out);
                }
            }
        }
    }

    private Sequence sequence() {
        List<Node> parts = new ArrayList<>();
        while (at < tokens.size() && !List.of("|", ";", "]", ")", ")+", "}").contains(tokens.get(at))) {
            parts.add(part(tokens.get(at++)));
        }
        return new Sequence(List.copyOf(parts));
    }

    private Node part(String token) {
        return switch (token) {
            case "[" -> new OneOf(alternatives("|", "]"), true);
            case "{" -> new AnyOrder(alternatives(";", "}"));
            case "(" -> group();
            default -> word(token);
        };
    }

    private Node group() {
        Node inner = new OneOf(alternatives("|", ")"), false);
        return tokens.get(at - 1).equals(")+") ? new Repeated(inner) : inner;
    }

    private List<Node> alternatives(String separator, String end) {
        List<Node> choices = new ArrayList<>();
        choices.add(sequence());
        while (tokens.get(at).equals(separator)) {
            at++;
            choices.add(sequence());
        }
        if (!tokens.get(at).startsWith(end)) {
            throw new IllegalArgumentException("Expected " + end + " in " + tokens);
        }
        at++;
        return List.copyOf(choices);
    }

    private static Node word(String token) {
        if (!token.chars().anyMatch(Character::isLowerCase)) {
            return new Literal(token);
        }
        return token.endsWith("+") ? new Repeated(new Slot(token.substring(0, token.length() - 1))) : new Slot(token);
    }
}
