package io.polytable.conformance.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** Generates the history of a seed. */
public final class HistoryWriter {
    /** Connections a history uses. */
    public static final int CONNECTIONS = 3;

    private static final int SPOILED_PERCENT = 5;

    /** Their comparison needs further commands, which a pipeline does not allow. */
    private static final Set<String> ALONE =
            Set.of("RANDOMKEY", "HRANDFIELD", "SRANDMEMBER", "ZRANDMEMBER", "HELLO", "RESET");

    /**
     * A spoiled word could make these wait forever or answer without end; a spoiled HELLO names the connection in 7.0
     * before it finds the mistake, in 7.2 not.
     */
    private static final Set<String> UNSPOILED = Set.of(
            "BLMOVE",
            "BLMPOP",
            "BLPOP",
            "BRPOP",
            "BRPOPLPUSH",
            "BZPOPMIN",
            "BZPOPMAX",
            "BZMPOP",
            "HELLO",
            "HRANDFIELD",
            "SPOP",
            "SRANDMEMBER",
            "XREAD",
            "XREADGROUP",
            "XSETID",
            "ZRANDMEMBER");

    /** A spoiled one could bring unequal scores into a set that is read in lexicographical order. */
    private static final Set<String> MOVES_SCORES = Set.of("ZADD", "RENAME", "RENAMENX", "COPY", "ZRANGESTORE");

    private final List<Syntax> strings = lines("strings");
    private final List<Syntax> hashes = lines("hashes");
    private final List<Syntax> lists = lines("lists");
    private final List<Syntax> sets = lines("sets");
    private final List<Syntax> sortedSets = lines("sortedsets");
    private final List<Syntax> bitmaps = lines("bitmaps");
    private final List<Syntax> sketches = lines("hyperloglogs");
    private final List<Syntax> geo = lines("geo");
    private final List<Syntax> streams = lines("streams");
    private final List<Syntax> generic = lines("generic");
    private final List<Syntax> flushes = lines("flushes");

    /** Every command name that a history can contain. */
    public List<String> commands() {
        List<String> names = new ArrayList<>();
        for (List<Syntax> family :
                List.of(strings, hashes, lists, sets, sortedSets, bitmaps, sketches, geo, streams, generic, flushes)) {
            family.forEach(line -> names.add(line.name()));
        }
        return names.stream().distinct().toList();
    }

    /** A history of single commands, most of them called by scripts. */
    public History writeScripts(long seed, int stepCount) {
        Dice dice = new Dice(seed);
        Vocabulary vocabulary = new Vocabulary(dice, false);
        List<Step> steps = new ArrayList<>();
        while (steps.size() < stepCount) {
            vocabulary.beginStep(steps.size());
            Syntax line = dice.pick(dice.pick(List.of(strings, lists, bitmaps, sketches)));
            List<String> words = line.expand(dice, vocabulary::words);
            // What blocks may stand in scripts of 7.2 alone.
            if (!words.get(0).startsWith("B") || words.get(0).startsWith("BIT")) {
                steps.add(new Step.Call(
                        dice.below(CONNECTIONS), dice.percent(80) ? scripted(words, dice, vocabulary) : words));
            }
        }
        return new History(seed, steps);
    }

    private static List<String> scripted(List<String> words, Dice dice, Vocabulary vocabulary) {
        List<String> call = new ArrayList<>(dice.pick(List.of(
                List.of("EVAL", "return redis.call(unpack(ARGV))", "0"),
                List.of("EVAL", "return redis.pcall(unpack(ARGV))", "0"),
                List.of("EVAL_RO", "return redis.pcall(unpack(ARGV))", "0"),
                List.of("EVAL", "local r = redis.pcall(unpack(ARGV)) return {r, type(r), {2, false, 3}}", "0"),
                List.of(
                        "EVAL",
                        "redis.call('APPEND', KEYS[1], 'x') return redis.call(unpack(ARGV))",
                        "1",
                        vocabulary.words("key").get(0)))));
        call.addAll(words);
        return call;
    }

    public History write(long seed, int stepCount) {
        Dice dice = new Dice(seed);
        boolean wide = seed % 4 == 0;
        Vocabulary vocabulary = new Vocabulary(dice, wide);
        List<Step> steps = new ArrayList<>();
        if (seed % 3 == 0) {
            steps.add(new Step.Call(CONNECTIONS - 1, List.of("HELLO", "3")));
        }
        if (wide) {
            fill(dice, vocabulary, steps);
        }
        while (steps.size() < stepCount) {
            vocabulary.beginStep(steps.size());
            steps.add(step(dice, vocabulary));
        }
        return new History(seed, steps);
    }

    /** Collections beyond every size at which a server might change the encoding. */
    private void fill(Dice dice, Vocabulary vocabulary, List<Step> steps) {
        for (int i = 0; i < 12; i++) {
            List<String> hash = new ArrayList<>(List.of("HSET", "a"));
            List<String> list = new ArrayList<>(List.of(dice.pick("LPUSH", "RPUSH"), "d"));
            List<String> sortedSet = new ArrayList<>(List.of("ZADD", dice.pick("b", "c")));
            for (int j = 0; j < 100; j++) {
                hash.addAll(vocabulary.words("field"));
                hash.addAll(vocabulary.words("value"));
                list.addAll(vocabulary.words("member"));
                sortedSet.add(Integer.toString(dice.below(300)));
                sortedSet.addAll(vocabulary.words("member"));
            }
            steps.add(new Step.Call(0, hash));
            steps.add(new Step.Call(1, sortedSet));
            steps.add(new Step.Call(1, list));
        }
    }

    private Step step(Dice dice, Vocabulary vocabulary) {
        int connection = dice.below(CONNECTIONS);
        if (dice.percent(2)) {
            return vanish(connection, dice, vocabulary);
        }
        if (dice.percent(1)) {
            return new Step.Census(connection);
        }
        if (dice.percent(5)) {
            return pipeline(connection, dice, vocabulary);
        }
        return single(connection, words(dice, vocabulary));
    }

    private static Step single(int connection, List<String> words) {
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "SCAN" -> words.size() < 2 ? new Step.Call(connection, words) : new Step.Walk(connection, words, 1);
            case "HSCAN", "SSCAN", "ZSCAN" ->
                words.size() < 3 ? new Step.Call(connection, words) : new Step.Walk(connection, words, 2);
            default -> new Step.Call(connection, words);
        };
    }

    private Step pipeline(int connection, Dice dice, Vocabulary vocabulary) {
        List<List<String>> commands = new ArrayList<>();
        for (int wanted = 2 + dice.below(8); commands.size() < wanted; ) {
            List<String> words = words(dice, vocabulary);
            String name = words.get(0).toUpperCase(Locale.ROOT);
            if (!ALONE.contains(name) && single(connection, words) instanceof Step.Call) {
                commands.add(words);
            }
        }
        return new Step.Pipeline(connection, commands);
    }

    private static Step vanish(int connection, Dice dice, Vocabulary vocabulary) {
        String key = vocabulary.words("key").get(0);
        String value = vocabulary.words("value").get(0);
        List<String> words = dice.pick(List.of(
                List.of("PEXPIRE", key, "1"),
                List.of("PEXPIRE", key, "1"),
                List.of("PSETEX", key, "1", value),
                List.of("SET", key, value, "PX", "1"),
                List.of("GETEX", key, "PX", "1")));
        return new Step.Vanish(connection, words, key, dice.percent(50));
    }

    private List<String> words(Dice dice, Vocabulary vocabulary) {
        Syntax line = dice.pick(family(dice));
        List<String> words = line.expand(dice, vocabulary::words);
        if (dice.percent(SPOILED_PERCENT) && maySpoil(words)) {
            Spoiler.spoil(words, dice);
        }
        if (dice.percent(20)) {
            words.set(0, words.get(0).toLowerCase(Locale.ROOT));
        }
        return List.copyOf(words);
    }

    private static boolean maySpoil(List<String> words) {
        boolean keepsEqualScores =
                MOVES_SCORES.contains(words.get(0)) && words.stream().anyMatch(w -> w.startsWith("lex:"));
        return !keepsEqualScores && !UNSPOILED.contains(words.get(0));
    }

    private List<Syntax> family(Dice dice) {
        int throwOf1000 = dice.below(1000);
        if (throwOf1000 < 5) {
            return flushes;
        }
        if (throwOf1000 < 230) {
            return generic;
        }
        if (throwOf1000 < 370) {
            return strings;
        }
        if (throwOf1000 < 470) {
            return hashes;
        }
        if (throwOf1000 < 600) {
            return lists;
        }
        if (throwOf1000 < 690) {
            return sets;
        }
        if (throwOf1000 < 780) {
            return sortedSets;
        }
        if (throwOf1000 < 900) {
            return streams;
        }
        return dice.pick(List.of(bitmaps, sketches, geo));
    }

    private static List<Syntax> lines(String name) {
        List<Syntax> lines = new ArrayList<>();
        text(name)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    String[] parts = line.split(" ", 2);
                    boolean weighted = parts[0].matches("\\d+");
                    Syntax syntax = Syntax.parse(weighted ? parts[1] : line);
                    for (int i = weighted ? Integer.parseInt(parts[0]) : 1; i > 0; i--) {
                        lines.add(syntax);
                    }
                });
        return List.copyOf(lines);
    }

    private static String text(String name) {
        String path = "/histories/" + name + ".txt";
        try (InputStream in = Objects.requireNonNull(HistoryWriter.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }
}
