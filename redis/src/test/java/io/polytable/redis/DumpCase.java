package io.polytable.redis;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A value to be dumped, as the commands that make it at the key {@code k}.
 *
 * @param sameBytes whether Redis' own bytes follow from the value alone
 */
record DumpCase(String name, boolean sameBytes, List<List<Bytes>> commands) {
    @Override
    public String toString() {
        return name;
    }

    static List<DumpCase> all() {
        List<DumpCase> all = new ArrayList<>();
        strings(all);
        lists(all);
        sets(all);
        sortedSets(all);
        hashes(all);
        streams(all);
        return all;
    }

    private static void strings(List<DumpCase> all) {
        List<String> values = new ArrayList<>(List.of(
                "",
                "0",
                "-1",
                "127",
                "128",
                "-128",
                "-129",
                "32767",
                "32768",
                "-32769",
                "2147483647",
                "2147483648",
                "-2147483648",
                "-2147483649",
                "12345678901",
                "9223372036854775807",
                "-9223372036854775808",
                "01",
                "+1",
                "1.5",
                "hello",
                "nul\0byte"));
        for (int length : new int[] {20, 21, 44, 45, 63, 64, 500, 16383, 16384, 70_000}) {
            values.add("ab".repeat(length).substring(0, length));
            values.add(noise(length, length));
        }
        for (String value : values) {
            String shown = value.length() > 12 ? value.substring(0, 3) + "... " + value.length() : value;
            all.add(new DumpCase("string " + shown.replace('\0', '?'), true, List.of(words("set", "k", value))));
        }
    }

    private static void lists(List<DumpCase> all) {
        add(all, "list of one", true, pushed(List.of("a")));
        add(
                all,
                "list of numbers",
                true,
                pushed(List.of(
                        "0",
                        "127",
                        "128",
                        "4095",
                        "4096",
                        "-1",
                        "-4096",
                        "-4097",
                        "32767",
                        "-32768",
                        "32768",
                        "8388607",
                        "-8388608",
                        "8388608",
                        "2147483647",
                        "-2147483648",
                        "2147483648",
                        "9223372036854775807",
                        "-9223372036854775808",
                        "9223372036854775808",
                        "01",
                        "-0")));
        add(
                all,
                "list of lengths",
                true,
                pushed(List.of(
                        "",
                        "x".repeat(63),
                        "x".repeat(64),
                        "y".repeat(4095),
                        "y".repeat(4096),
                        "z".repeat(9000),
                        "end")));
        add(all, "list of 200", true, pushed(texts(200, "element-")));
        add(all, "list of 3000", true, pushed(texts(3000, "a somewhat longer element ")));
    }

    private static List<Bytes> pushed(List<String> elements) {
        return joined(List.of("rpush", "k"), elements);
    }

    private static void sets(List<DumpCase> all) {
        add(all, "set of one", true, joined(List.of("sadd", "k"), List.of("1")));
        add(all, "set of shorts", true, joined(List.of("sadd", "k"), List.of("3", "-5", "7", "32767")));
        add(all, "set of ints", true, joined(List.of("sadd", "k"), List.of("3", "-5", "32768")));
        add(all, "set of longs", true, joined(List.of("sadd", "k"), List.of("3", "-2147483649", "5")));
        add(all, "set of 512 integers", true, joined(List.of("sadd", "k"), texts(512, "")));
        add(all, "set of 513 integers", false, joined(List.of("sadd", "k"), texts(513, "")));
        add(all, "set of texts", false, joined(List.of("sadd", "k"), List.of("a", "1", "b")));
        add(all, "set of 128 texts", false, joined(List.of("sadd", "k"), texts(128, "m")));
        add(all, "set of 129 texts", false, joined(List.of("sadd", "k"), texts(129, "m")));
        add(all, "set with a long member", false, joined(List.of("sadd", "k"), List.of("a", "x".repeat(65))));
    }

    private static void sortedSets(List<DumpCase> all) {
        List<String> scores = List.of(
                "0",
                "1",
                "-1",
                "1.5",
                "0.1",
                "-2.25",
                "inf",
                "-inf",
                "1e17",
                "1e20",
                "1e-7",
                "4611686018427387904",
                "9223372036854775807",
                "123456789.123456789",
                "3.0",
                "-0");
        List<String> elements = new ArrayList<>();
        for (String score : scores) {
            elements.addAll(List.of(score, "member" + elements.size()));
        }
        add(all, "sorted set of scores", true, joined(List.of("zadd", "k"), elements));
        List<String> many = new ArrayList<>();
        IntStream.range(0, 129).forEach(i -> many.addAll(List.of(i % 3 + ".5", "m" + i)));
        add(all, "sorted set of 128", true, joined(List.of("zadd", "k"), many.subList(0, 256)));
        add(all, "sorted set of 129", true, joined(List.of("zadd", "k"), many));
        add(
                all,
                "sorted set with a long member",
                true,
                joined(List.of("zadd", "k"), List.of("1", "x".repeat(65), "-inf", "b", "2.5", "c")));
    }

    private static void hashes(List<DumpCase> all) {
        add(all, "hash of one", true, words("hset", "k", "field", "value"));
        add(all, "hash of three", false, words("hset", "k", "a", "1", "b", "", "3", "x".repeat(64)));
        add(all, "hash with a long value", true, words("hset", "k", "a", "x".repeat(65)));
        List<String> pairs = new ArrayList<>();
        IntStream.range(0, 513).forEach(i -> pairs.addAll(List.of("f" + i, Integer.toString(i * 7))));
        add(all, "hash of 512", false, joined(List.of("hset", "k"), pairs.subList(0, 1024)));
        add(all, "hash of 513", false, joined(List.of("hset", "k"), pairs));
    }

    private static void streams(List<DumpCase> all) {
        List<List<Bytes>> some = new ArrayList<>();
        for (int i = 1; i <= 250; i++) {
            some.add(words("xadd", "k", i + "-" + i % 3, "temperature", Integer.toString(i), "place", "p" + i % 7));
        }
        all.add(new DumpCase("stream of 250", true, some));
        all.add(new DumpCase(
                "stream of other fields",
                true,
                List.of(
                        words("xadd", "k", "5-1", "a", "1"),
                        words("xadd", "k", "5-2", "b", "2", "c", "text"),
                        words("xadd", "k", "18446744073709551615-3", "a", "-5"))));
        List<List<Bytes>> grouped = new ArrayList<>(some);
        grouped.add(words("xgroup", "create", "k", "first", "0"));
        grouped.add(words("xgroup", "create", "k", "second", "100-1", "entriesread", "100"));
        all.add(new DumpCase("stream with groups", true, List.copyOf(grouped)));
        grouped.add(words("xreadgroup", "group", "first", "alice", "count", "5", "streams", "k", ">"));
        grouped.add(words("xreadgroup", "group", "first", "bob", "count", "3", "streams", "k", ">"));
        grouped.add(words("xack", "k", "first", "2-2"));
        grouped.add(words("xdel", "k", "1-1", "7-1", "100-1", "250-1"));
        all.add(new DumpCase("stream with consumers and holes", false, List.copyOf(grouped)));
        all.add(new DumpCase("empty stream", true, List.of(words("xgroup", "create", "k", "g", "$", "mkstream"))));
        all.add(new DumpCase(
                "trimmed stream",
                false,
                List.of(
                        words("xadd", "k", "5-1", "a", "1"),
                        words("xadd", "k", "5-2", "a", "2"),
                        words("xtrim", "k", "maxlen", "1"),
                        words("xsetid", "k", "9-9", "entriesadded", "20", "maxdeletedid", "8-0"))));
    }

    private static void add(List<DumpCase> all, String name, boolean sameBytes, List<Bytes> command) {
        all.add(new DumpCase(name, sameBytes, List.of(command)));
    }

    private static List<String> texts(int count, String prefix) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private static List<Bytes> joined(List<String> head, List<String> rest) {
        List<String> all = new ArrayList<>(head);
        all.addAll(rest);
        return words(all.toArray(String[]::new));
    }

    static List<Bytes> words(String... words) {
        return List.of(words).stream().map(Bytes::utf8).toList();
    }

    /** Text that does not compress. */
    private static String noise(long seed, int length) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (33 + random.nextInt(90)));
        }
        return text.toString();
    }
}
