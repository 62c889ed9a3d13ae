package io.polytable.conformance.history;

import java.util.ArrayList;
import java.util.List;

/** The words of a history, valid and invalid ones; a slot's name in a syntax line selects them. */
final class Vocabulary {
    private static final String MAX = "9223372036854775807";
    private static final String MIN = "-9223372036854775808";
    private static final String OVER = "9223372036854775808";
    private static final long YEAR_2100 = 4_102_444_800L;

    private static final List<String> KEYS = List.of(
            "a", "b", "c", "d", "e", "{tag}1", "{tag}2", "", "k\r\n\u0000\u00ff", "key:with:a:longer:name:0001");
    private static final List<String> INTS = List.of(
            "0", "1", "2", "3", "5", "10", "-1", "-2", "-7", MAX, MIN, OVER, "", " 1", "+1", "01", "1.0", "1e3", "x");
    private static final List<String> FLOATS = List.of(
            "0",
            "1",
            "-1",
            "1.5",
            "-2.25",
            "0.1",
            "3.3",
            "1e3",
            "-0",
            "100000000000",
            "1e17",
            "1e-5",
            "inf",
            "-inf",
            "+inf",
            "nan",
            "1e400",
            "1e-400",
            "",
            " 1",
            "1 ",
            "0x10",
            "1.5abc",
            "x",
            "123456789.123456789",
            "4.9e-324",
            "1e5000");
    private static final List<String> SCORES = List.of(
            "0",
            "1",
            "2",
            "3",
            "1.5",
            "-1",
            "-2.5",
            "0.1",
            "3.3",
            "1e3",
            "10",
            "100",
            "-0",
            "inf",
            "-inf",
            "+inf",
            "9007199254740993",
            "1e17",
            "1e20",
            "123456789012345678901",
            "1e-7",
            "0.000001234",
            "1.7976931348623157e308",
            "-4.9e-324",
            "3.0");
    private static final List<String> BAD_SCORES =
            List.of("nan", "x", "", " 1", "1e400", "1.5abc", "0x1p3", "(1", "infinity");
    private static final List<String> TYPES =
            List.of("string", "hash", "zset", "set", "list", "stream", "STRING", "bogus");
    private static final List<String> PATTERNS = List.of(
            "*", "a*", "?", "[a-c]", "[^a]", "*1*", "\\*", "", "{tag}*", "f[1-3]?", "[z-a]*", "[a", "*\u00ff*", "**?*");
    private static final List<String> SCORE_BOUNDS =
            List.of("-inf", "+inf", "inf", "0", "1", "(1", "2", "(2.5", "100", "(-inf", "(0", "-1", "3.3", "(0.1");
    private static final List<String> BAD_SCORE_BOUNDS = List.of("nan", "(", "x", "[1", "", "((1", "1x");
    private static final List<String> BAD_LEX_BOUNDS = List.of("m1", "", "x", "++", "0");

    private final Dice dice;
    private final boolean wide;
    private int step;

    /** Relative expiries drawn in this step. */
    private int expiries;

    private int keyCount = 1;

    /** A wide vocabulary has many fields and members, so that collections grow large. */
    Vocabulary(Dice dice, boolean wide) {
        this.dice = dice;
        this.wide = wide;
    }

    /** Relative expiries are spread by the number of the step and of those within it, see the package's page. */
    void beginStep(int number) {
        step = number;
        expiries = 0;
    }

    List<String> words(String slot) {
        return switch (slot) {
            case "keys#" -> countedKeys();
            case "weights" -> repeated("score", keyCount);
            case "streamkeys#" -> keysAndIds("readid");
            case "groupkeys#" -> keysAndIds("groupid");
            default -> List.of(word(slot));
        };
    }

    private String word(String slot) {
        return switch (slot) {
            case "key" -> key();
            case "anykey" -> dice.percent(12) ? lexKey() : key();
            case "lexkey" -> lexKey();
            case "field", "member" -> element();
            case "value" -> value();
            case "int" -> dice.percent(60) ? Integer.toString(dice.below(12)) : dice.pick(INTS);
            case "float" -> dice.pick(FLOATS);
            case "score" -> dice.percent(4) ? dice.pick(BAD_SCORES) : score();
            case "index" -> index();
            case "offset" ->
                dice.pick(
                        "0",
                        "0",
                        "1",
                        "3",
                        "7",
                        "30",
                        "100",
                        "16380",
                        "20000",
                        "-1",
                        MAX,
                        MIN,
                        "536870912",
                        "x",
                        "4294967296");
            case "count" -> dice.pick("1", "2", "3", "10", "50", "1000000", "0", "-1", "x", OVER);
            case "rcount" ->
                dice.pick("1", "2", "3", "5", "50", "1000", "0", "-1", "-5", "-30", "x", "1.5", MAX, MIN, OVER);
            case "cursor" -> dice.percent(94) ? "0" : dice.pick("x", "0x", " 0", "99999999999999999999", "1.5");
            case "pattern" -> dice.pick(PATTERNS);
            case "smin", "smax" -> dice.percent(5) ? dice.pick(BAD_SCORE_BOUNDS) : dice.pick(SCORE_BOUNDS);
            case "lmin", "lmax" -> lexBound();
            case "type" -> dice.pick(TYPES);
            case "timeout" -> dice.percent(80) ? "0.01" : dice.pick("-1", "x", "1e400", "", "9223372036854776", "nan");
            default -> timeOrConnectionWord(slot);
        };
    }

    private String timeOrConnectionWord(String slot) {
        return switch (slot) {
            case "secs" -> relativeSeconds("");
            case "millis" -> relativeSeconds("000");
            case "unix" -> absoluteSeconds("");
            case "unixms" -> absoluteSeconds("000");
            case "bitoffset" ->
                dice.percent(85)
                        ? Integer.toString(dice.below(200))
                        // The far ones are where a string is no longer one row.
                        : dice.pick("-1", "x", "#1", MAX, "4294967296", "", "131071", "131072", "140001", "200000");
            case "fieldoffset" ->
                (dice.percent(30) ? "#" : "")
                        + (dice.percent(90) ? dice.below(60) : dice.pick("-1", "x", MAX, "", "131060", "163830"));
            case "bit" -> dice.percent(92) ? dice.pick("0", "1") : dice.pick("2", "-1", "x", "");
            case "fieldtype" ->
                dice.percent(92)
                        ? dice.pick("u", "i") + (1 + dice.below(63))
                        : dice.pick("i64", "u64", "u0", "x8", "i", "i65", "u-1", "");
            case "longitude" -> dice.percent(95) ? degrees(180) : dice.pick("180.1", "-181", "x", "", "inf", "nan");
            case "latitude" -> dice.percent(95) ? degrees(85) : dice.pick("85.06", "-86", "x", "", "inf");
            case "length" ->
                dice.percent(95)
                        ? dice.pick("0", "1", "100", "1500.5", "300000", "5000000", "30000000")
                        : dice.pick("-1", "x", "", "nan");
            case "unit" -> dice.percent(96) ? dice.pick("m", "km", "ft", "mi", "KM", "Mi") : dice.pick("yd", "", "cm");
            case "group" -> dice.pick("g1", "g2", "");
            case "consumer" -> dice.pick("c1", "c2", "c3", "");
            case "minidle" -> dice.pick("0", "0", "0", "100000", "-1", "x");
            case "newid" -> step + "-" + (1 + dice.below(9));
            case "newmillis" -> step + "-*";
            case "streamid" -> streamId();
            case "readid" -> dice.percent(30) ? "$" : streamId();
            case "groupid" -> dice.percent(70) ? ">" : streamId();
            case "streamlow" -> dice.percent(50) ? "-" : streamBound();
            case "streamhigh" -> dice.percent(50) ? "+" : streamBound();
            case "db" -> db();
            case "protocol" -> dice.pick("2", "3", "2", "3", "1", "4", "x", "", "-1");
            case "name" -> dice.pick("app", "", "with space", "caf\u00e9", "a-b_c", "new\nline");
            case "user" -> dice.pick("default", "nobody", "DEFAULT");
            default -> throw new IllegalArgumentException("No words for " + slot);
        };
    }

    /** Few different ones, so that positions are met again. */
    private String degrees(int most) {
        return Integer.toString(dice.below(2 * most) - most) + dice.pick("", ".5", ".123456");
    }

    /** Mostly one that was added in this history. */
    private String streamId() {
        if (dice.percent(85)) {
            return dice.below(step + 2) + (dice.percent(80) ? "-" + dice.below(10) : "");
        }
        return dice.pick(
                "0",
                "0-0",
                "18446744073709551615-18446744073709551615",
                "18446744073709551616-1",
                "-",
                "+",
                "x",
                "",
                "5-",
                "-5",
                "5--1",
                "1- 2",
                "+3-1",
                "03-01",
                " 3-1",
                "5-x",
                "5\u0000",
                "$",
                ">");
    }

    private String streamBound() {
        return (dice.percent(30) ? "(" : "") + streamId();
    }

    private List<String> keysAndIds(String slot) {
        int count = 1 + dice.below(2);
        List<String> words = repeated("key", count);
        words.addAll(repeated(slot, dice.percent(97) ? count : count + 1));
        return words;
    }

    private String key() {
        return dice.pick(wide ? KEYS.subList(0, 4) : KEYS);
    }

    /** Holds members of equal score only; no command that writes other scores names it. */
    private String lexKey() {
        return dice.pick("lex:1", "lex:2");
    }

    private String element() {
        if (wide) {
            return "element:" + dice.below(1500);
        }
        return dice.pick(
                "f1", "f2", "f3", "m1", "m2", "10", "", "\r\n", "\u0000", "\u00ff\u00fe", "M1", "m10", "x".repeat(64));
    }

    private String value() {
        return switch (dice.below(12)) {
            case 0, 1 -> Integer.toString(dice.below(2000) - 1000);
            case 2 -> dice.pick(INTS);
            case 3 -> dice.pick(FLOATS);
            case 4 -> dice.bytes(dice.below(40));
            case 5 -> "";
            case 6 -> "v".repeat(dice.pick(List.of(44, 45, 64, 65, 20, 21, 300)));
            case 7 -> "line\r\nline\u0000";
            case 8 -> "12345678901234567890";
            default -> dice.pick("hello", "world", "hello world", "ohmytext", "mynewtext");
        };
    }

    private String score() {
        if (wide && dice.percent(80)) {
            return Integer.toString(dice.below(400)) + (dice.percent(30) ? ".5" : "");
        }
        return dice.pick(SCORES);
    }

    private String index() {
        if (wide && dice.percent(60)) {
            return Integer.toString(dice.below(1200) - 600);
        }
        return dice.pick("0", "1", "2", "3", "-1", "-2", "-3", "5", "100", "-100", MAX, MIN, "-4294967297", "x", "1.5");
    }

    private String lexBound() {
        return dice.percent(6) ? dice.pick(BAD_LEX_BOUNDS) : dice.percent(25) ? dice.pick("-", "+") : openOrClosed();
    }

    private String openOrClosed() {
        return dice.pick("[", "(") + element();
    }

    private String relativeSeconds(String suffix) {
        if (dice.percent(15)) {
            return dice.pick("0", "-1", "x", MAX, MIN, OVER, "9223372036854775", "1.5", "");
        }
        long apart = 100L * step + 10L * expiries++;
        return (dice.percent(50) ? 10_000 + apart : 1_000_000 - apart) + suffix;
    }

    private String absoluteSeconds(String suffix) {
        if (dice.percent(12)) {
            return dice.pick("0", "-1", "x", MAX, MIN, OVER, "9223372036854775");
        }
        return dice.percent(15) ? 1_000_000_000L + suffix : (YEAR_2100 + 100L * dice.below(50)) + suffix;
    }

    private String db() {
        if (dice.percent(75)) {
            return Integer.toString(dice.below(2));
        }
        return dice.percent(80) ? Integer.toString(dice.below(16)) : dice.pick("16", "-1", "x", "", OVER, "01", "+1");
    }

    private List<String> countedKeys() {
        keyCount = 1 + dice.below(3);
        List<String> words = new ArrayList<>();
        words.add(dice.percent(94) ? Integer.toString(keyCount) : dice.pick("0", "-1", "x", "7", MAX));
        words.addAll(repeated("key", keyCount));
        return words;
    }

    private List<String> repeated(String slot, int times) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            words.add(word(slot));
        }
        return words;
    }
}
