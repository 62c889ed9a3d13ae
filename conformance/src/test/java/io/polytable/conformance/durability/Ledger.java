package io.polytable.conformance.durability;

import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The operations of one writer, and the expected state of its keys after a prefix of them. Operations cycle through the
 * keys; hashes, lists and sorted sets grow and shrink, lists also in their middle, scores move.
 */
final class Ledger {
    private static final int MEMBERS = 60;
    private static final int FIELDS_KEPT = 40;
    private static final int KINDS = 15;
    private static final int ELEMENTS_KEPT = 200;
    private static final int ENTRIES_KEPT = 120;

    private final int writer;
    /** Other threads read it while the writer works. */
    private volatile long applied;

    private final Map<String, String> strings = new TreeMap<>();
    private final Map<String, String> hash = new TreeMap<>();
    private final Map<String, Long> sortedSet = new TreeMap<>();
    private final List<String> list = new ArrayList<>();
    private final TreeMap<Long, String> stream = new TreeMap<>();

    Ledger(int writer) {
        this.writer = writer;
    }

    long applied() {
        return applied;
    }

    /** The command of an operation. */
    List<String> command(long number) {
        String n = Long.toString(number);
        return switch ((int) (number % KINDS)) {
            case 0 -> List.of("INCR", key("counter"));
            case 1, 2 -> List.of("HSET", key("hash"), "f" + n, "v" + n);
            case 3 -> List.of("HDEL", key("hash"), "f" + dropped(number));
            case 4, 5 -> List.of("ZADD", key("zset"), Long.toString(score(number)), member(number));
            case 6 -> List.of("ZREM", key("zset"), member(number));
            case 7, 8 -> List.of("RPUSH", key("list"), "e" + n);
            case 9 -> List.of("LINSERT", key("list"), "BEFORE", "e" + pushed(number), "i" + n);
            case 10 -> List.of("LREM", key("list"), "1", "e" + (pushed(number) + 1));
            case 11 -> List.of("LTRIM", key("list"), "-" + ELEMENTS_KEPT, "-1");
            case 12 -> List.of("XADD", key("stream"), "MAXLEN", Integer.toString(ENTRIES_KEPT), n + "-1", "f", "v" + n);
            case 13 -> List.of("XDEL", key("stream"), deleted(number) + "-1");
            default -> List.of("MSET", key("left"), n, key("right"), n);
        };
    }

    /** Applies the next operation to the expected state. */
    void apply() {
        long number = applied;
        applied = number + 1;
        switch ((int) (number % KINDS)) {
            case 0 -> strings.merge("counter", "1", (old, one) -> Long.toString(Long.parseLong(old) + 1));
            case 1, 2 -> hash.put("f" + number, "v" + number);
            case 3 -> hash.remove("f" + dropped(number));
            case 4, 5 -> sortedSet.put(member(number), score(number));
            case 6 -> sortedSet.remove(member(number));
            case 7, 8 -> list.add("e" + number);
            case 9 -> {
                int pivot = list.indexOf("e" + pushed(number));
                if (pivot >= 0) {
                    list.add(pivot, "i" + number);
                }
            }
            case 10 -> list.remove("e" + (pushed(number) + 1));
            case 11 -> list.subList(0, Math.max(0, list.size() - ELEMENTS_KEPT)).clear();
            case 12 -> {
                stream.put(number, "v" + number);
                if (stream.size() > ENTRIES_KEPT) {
                    stream.pollFirstEntry();
                }
            }
            case 13 -> stream.remove(deleted(number));
            default -> {
                strings.put("left", Long.toString(number));
                strings.put("right", Long.toString(number));
            }
        }
    }

    private String key(String name) {
        return name + ":" + writer;
    }

    private static String member(long number) {
        return "m" + (number * 31 % MEMBERS);
    }

    private static long score(long number) {
        return number * 17 % 1000;
    }

    /** A field written a while ago, so that the hash stays small. */
    private static long dropped(long number) {
        return number - 2 - (long) KINDS * FIELDS_KEPT;
    }

    /** The first element that was pushed some turns ago, which is in the middle of the list now. */
    private static long pushed(long number) {
        return number - number % KINDS + 7 - 20L * KINDS;
    }

    /** An entry added some turns ago. */
    private static long deleted(long number) {
        return Math.max(0, number - 1 - 3L * KINDS);
    }

    /** The state as text, to be compared with {@link #read}. */
    String state() {
        List<String> order = sortedSet.entrySet().stream()
                .sorted((a, b) -> a.getValue().equals(b.getValue())
                        ? a.getKey().compareTo(b.getKey())
                        : a.getValue().compareTo(b.getValue()))
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        return "strings " + strings + "\nhash " + hash + "\nlist " + list + "\nstream " + stream + "\nzset " + order
                + " by member " + sortedSet;
    }

    /** The state that a server holds for this writer; the sorted set by its order and by its members. */
    String read(RespConnection connection) {
        Map<String, String> readStrings = new TreeMap<>();
        for (String name : List.of("counter", "left", "right")) {
            Resp value = connection.call("GET", key(name)).tree();
            if (!value.isNull()) {
                readStrings.put(name, value.text());
            }
        }
        List<String> order = pairs(
                connection.call("ZRANGE", key("zset"), "0", "-1", "WITHSCORES").tree());
        Map<String, String> members = new TreeMap<>();
        for (int rank = 0; rank < order.size(); rank++) {
            String member = order.get(rank).replaceFirst("=.*", "");
            members.put(
                    member,
                    connection.call("ZSCORE", key("zset"), member).tree().text());
            long ranked = connection.call("ZRANK", key("zset"), member).tree().number();
            if (ranked != rank) {
                throw new AssertionError(member + " stands at " + rank + " but ZRANK says " + ranked);
            }
        }
        assertCount(connection, "ZCARD", key("zset"), order.size());
        Map<String, String> fields = new TreeMap<>();
        List<String> flat = connection.call("HGETALL", key("hash")).tree().texts();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i), flat.get(i + 1));
        }
        assertCount(connection, "HLEN", key("hash"), fields.size());
        return "strings " + readStrings + "\nhash " + fields + "\nlist " + readList(connection) + "\nstream "
                + readStream(connection) + "\nzset " + order + " by member " + members;
    }

    private Map<Long, String> readStream(RespConnection connection) {
        Map<Long, String> entries = new TreeMap<>();
        for (Resp entry :
                connection.call("XRANGE", key("stream"), "-", "+").tree().items()) {
            String id = entry.items().get(0).text();
            entries.put(
                    Long.parseLong(id.replaceFirst("-1$", "")),
                    entry.items().get(1).items().get(1).text());
        }
        assertCount(connection, "XLEN", key("stream"), entries.size());
        return entries;
    }

    private List<String> readList(RespConnection connection) {
        List<String> elements =
                connection.call("LRANGE", key("list"), "0", "-1").tree().texts();
        assertCount(connection, "LLEN", key("list"), elements.size());
        for (int index = 0; index < elements.size(); index += 7) {
            String element = connection
                    .call("LINDEX", key("list"), Integer.toString(index))
                    .tree()
                    .text();
            if (!element.equals(elements.get(index))) {
                throw new AssertionError(elements.get(index) + " stands at " + index + " but LINDEX says " + element);
            }
        }
        return elements;
    }

    private static void assertCount(RespConnection connection, String command, String key, int expected) {
        long count = connection.call(command, key).tree().number();
        if (count != expected) {
            throw new AssertionError(command + " " + key + " says " + count + ", but there are " + expected);
        }
    }

    private static List<String> pairs(Resp reply) {
        List<String> texts = reply.texts();
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < texts.size(); i += 2) {
            pairs.add(texts.get(i) + "=" + texts.get(i + 1));
        }
        return pairs;
    }
}
