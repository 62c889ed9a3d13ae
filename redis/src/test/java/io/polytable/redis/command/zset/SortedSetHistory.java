package io.polytable.redis.command.zset;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random calls of the sorted set commands: sensible ones mostly, some with words that make no sense. Ranges of members
 * are asked only of the key "same", all of whose scores are equal, and of "small", which stays packed in Redis: elsewhere
 * Redis answers them by chance.
 */
final class SortedSetHistory {
    private static final List<String> KEYS = List.of("a", "b", "c", "d", "same", "small", "text", "none");
    private static final List<String> ODD_SCORES = List.of(
            "inf",
            "-inf",
            "+inf",
            "-0",
            "0",
            "1e308",
            "-1e308",
            "4.9e-324",
            "0.1",
            "3.0000000000000004",
            "1e20",
            "123456789012345678",
            "nan",
            "abc",
            "",
            " 1",
            "1 ",
            "0x10",
            "1e400",
            "infinity",
            "1e-400",
            "+5",
            ".5",
            "5.");
    private static final List<String> JUNK =
            List.of("junk", "withscores", "limit", "rev", "byscore", "bylex", "nx", "xx", "weights", "-1", "0", "99");

    private final Random random;
    private final List<Bytes> words = new ArrayList<>();

    SortedSetHistory(long seed) {
        random = new Random(seed);
    }

    List<Bytes> next() {
        words.clear();
        switch (random.nextInt(30)) {
            case 0, 1, 2, 3, 4 -> zAdd();
            case 5 -> add("zincrby", target(), score(), member());
            case 6, 7 -> zRem();
            case 8 -> add(pick("zscore", "zrank", "zrevrank"), key(), member());
            case 9 -> add("zcard", key());
            case 10 -> zMScore();
            case 11 -> add("zcount", key(), bound(), bound());
            case 12 -> add("zlexcount", lexKey(), lexBound(), lexBound());
            case 13, 14, 15 -> zRange("zrange");
            case 16 -> zRange("zrangestore", target());
            case 17, 18 -> oldRange();
            case 19 -> add("zremrangebyrank", key(), rank(), rank());
            case 20 -> add("zremrangebyscore", key(), bound(), bound());
            case 21 -> add("zremrangebylex", lexKey(), lexBound(), lexBound());
            case 22 -> pop();
            case 23 -> zMPop();
            case 24, 25 -> algebra();
            case 26 -> algebraStore();
            case 27 -> zInterCard();
            case 28 -> add("del", key());
            default -> add("object", "encoding", pick("a", "b", "c", "d", "same"));
        }
        if (random.nextInt(60) == 0) {
            words.add(1 + random.nextInt(words.size()), Bytes.utf8(pick(JUNK)));
        }
        if (random.nextInt(60) == 0 && words.size() > 2) {
            words.remove(1 + random.nextInt(words.size() - 1));
        }
        return List.copyOf(words);
    }

    private void zAdd() {
        add("zadd", key());
        while (random.nextInt(4) == 0) {
            add(pick("nx", "xx", "gt", "lt", "ch", "incr", "CH"));
        }
        // Now and then enough to outgrow what Redis keeps packed.
        boolean small = words.get(1).equals(Bytes.utf8("small"));
        int pairs = !small && random.nextInt(8) == 0 ? random.nextInt(120) : 1 + random.nextInt(3);
        boolean oneScore = random.nextInt(3) > 0 || words.get(1).equals(Bytes.utf8("same"));
        String shared = Integer.toString(random.nextInt(3));
        for (int i = 0; i < pairs; i++) {
            String score = words.get(1).equals(Bytes.utf8("same")) ? "0" : oneScore ? shared : score();
            add(score, small ? "m" + random.nextInt(50) : member());
        }
    }

    private void zRem() {
        add("zrem", key());
        int count = random.nextInt(6) == 0 ? random.nextInt(60) : 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            add(member());
        }
    }

    private void zMScore() {
        add("zmscore", key());
        for (int i = random.nextInt(4); i >= 0; i--) {
            add(member());
        }
    }

    private void zRange(String... first) {
        add(first);
        int kind = random.nextInt(3);
        switch (kind) {
            case 0 -> add(key(), rank(), rank());
            case 1 -> add(key(), bound(), bound(), "byscore");
            default -> add("same", lexBound(), lexBound(), "bylex");
        }
        if (random.nextInt(3) == 0) {
            add("REV");
        }
        if (kind > 0 && random.nextInt(3) == 0) {
            limit();
        }
        if (random.nextBoolean() && kind < 2) {
            add("withscores");
        }
    }

    private void limit() {
        add("limit", Integer.toString(random.nextInt(8) - 1), Integer.toString(random.nextInt(12) - 2));
    }

    private void oldRange() {
        String reverse = random.nextBoolean() ? "rev" : "";
        switch (random.nextInt(3)) {
            case 0 -> add("zrevrange", key(), rank(), rank());
            case 1 -> add("z" + reverse + "rangebyscore", key(), bound(), bound());
            default -> add("z" + reverse + "rangebylex", lexKey(), lexBound(), lexBound());
        }
        if (random.nextInt(3) == 0) {
            add("WITHSCORES");
        }
        if (random.nextInt(3) == 0 && !words.get(1).equals(Bytes.utf8("small"))) {
            limit();
        }
    }

    private void pop() {
        add(pick("zpopmin", "zpopmax"), key());
        if (random.nextBoolean()) {
            add(pick("0", "1", "2", "5", "200", "-1", "x"));
        }
    }

    private void zMPop() {
        add("zmpop");
        keys();
        add(pick("min", "max", "MAX"));
        if (random.nextBoolean()) {
            add("count", pick("1", "2", "3", "0", "x", "300"));
        }
    }

    private void algebra() {
        add(pick("zunion", "zinter", "zdiff"));
        int count = keys();
        combining(count);
        if (random.nextBoolean()) {
            add("withscores");
        }
    }

    private void algebraStore() {
        add(pick("zunionstore", "zinterstore", "zdiffstore"), target());
        combining(keys());
    }

    private void zInterCard() {
        add("zintercard");
        keys();
        if (random.nextBoolean()) {
            add("limit", pick("0", "1", "5", "-1", "x"));
        }
    }

    private int keys() {
        int count = 1 + random.nextInt(3);
        add(random.nextInt(30) == 0 ? pick("0", "-1", "x", "9") : Integer.toString(count));
        for (int i = 0; i < count; i++) {
            add(key());
        }
        return count;
    }

    private void combining(int count) {
        if (words.get(0).utf8().startsWith("zdiff") && random.nextInt(10) > 0) {
            return;
        }
        if (random.nextInt(3) == 0) {
            add("weights");
            for (int i = 0; i < count; i++) {
                add(pick("1", "2", "0", "-1", "0.5", "inf", random.nextInt(20) == 0 ? "w" : "3"));
            }
        }
        if (random.nextInt(3) == 0) {
            add("aggregate", pick("sum", "min", "MAX", random.nextInt(10) == 0 ? "avg" : "sum"));
        }
    }

    private void add(String... more) {
        for (String word : more) {
            words.add(Bytes.utf8(word));
        }
    }

    private String key() {
        // Mostly two keys, so that they get large.
        return random.nextInt(4) > 0 ? pick("a", "same") : pick(KEYS);
    }

    private String target() {
        return pick("a", "b", "c", "d", "text", "none");
    }

    private String lexKey() {
        return pick("same", "small");
    }

    private String member() {
        int kind = random.nextInt(200);
        if (kind == 0) {
            return "x".repeat(60 + random.nextInt(10));
        }
        return kind == 1 ? "" : kind == 2 ? "\u0000\u00ff" : "m" + random.nextInt(160);
    }

    private String score() {
        return switch (random.nextInt(12)) {
            case 0 -> pick(ODD_SCORES);
            case 1, 2 -> Double.toString(random.nextInt(100) / 8.0);
            default -> Integer.toString(random.nextInt(40) - 20);
        };
    }

    private String bound() {
        String open = random.nextInt(3) == 0 ? "(" : "";
        return switch (random.nextInt(8)) {
            case 0 -> "-inf";
            case 1 -> "+inf";
            case 2 -> open + pick(ODD_SCORES);
            default -> open + score();
        };
    }

    private String lexBound() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> "-";
            case 2, 3 -> "+";
            case 4, 5, 6 -> "[" + member();
            case 7, 8 -> "(" + member();
            default -> random.nextInt(4) == 0 ? member() : "[m1";
        };
    }

    private String rank() {
        return random.nextInt(40) == 0 ? "x" : Integer.toString(random.nextInt(300) - 150);
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
