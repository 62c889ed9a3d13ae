package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.Resp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The equivalence of replies, by command. Errors are always compared byte for byte. */
enum Likeness {
    /** Byte for byte. */
    EXACT,
    /** The same items in any order. */
    BAG,
    /** The same pairs in any order. */
    BAG_OF_PAIRS,
    /** Numbers that depend on the clock. */
    NEAR,
    /** Random: each side's reply is validated against its own data. */
    CHANCE,
    /** An encoding. The reference's may be a heavier one, because of what the key held before. */
    ENCODING,
    /** The fields that name the connection and the version are the server's own. */
    GREETING,
    /** An implementation-defined number. */
    ANY_NUMBER,
    /** Of streams, where times are told; 7.2 tells more of them. */
    STREAM_TIMES;

    private static final int NEAR_SECONDS = 10;

    private static final Map<String, List<String>> HEAVIER = Map.of(
            "int", List.of("embstr", "raw"),
            "embstr", List.of("raw"),
            "intset", List.of("listpack", "hashtable"),
            // 7.0 keeps every list as a quicklist; 7.2 starts with a listpack.
            "listpack", List.of("hashtable", "skiplist", "quicklist"));

    static Likeness of(List<String> words) {
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "HKEYS", "HVALS", "KEYS", "SMEMBERS", "SDIFF", "SINTER", "SUNION", "SPOP" -> BAG;
            case "HGETALL" -> BAG_OF_PAIRS;
            case "TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME" -> NEAR;
            case "RANDOMKEY", "HRANDFIELD", "SRANDMEMBER", "ZRANDMEMBER" -> CHANCE;
            case "HELLO" -> GREETING;
            case "OBJECT" -> ofObject(words);
            case "CONFIG" -> second(words).equals("GET") ? BAG_OF_PAIRS : EXACT;
            case "MEMORY" -> second(words).equals("USAGE") ? ANY_NUMBER : EXACT;
            case "XINFO", "XPENDING" -> STREAM_TIMES;
            case "GEOSEARCH", "GEORADIUS", "GEORADIUS_RO", "GEORADIUSBYMEMBER", "GEORADIUSBYMEMBER_RO" ->
                ofPlaces(words);
            default -> EXACT;
        };
    }

    /** The nearest few come from a partial sort, which leaves equally distant ones in no particular order. */
    private static Likeness ofPlaces(List<String> words) {
        return words.stream().anyMatch("COUNT"::equalsIgnoreCase) ? BAG : EXACT;
    }

    private static Likeness ofObject(List<String> words) {
        return switch (second(words)) {
            case "ENCODING" -> ENCODING;
            case "IDLETIME", "REFCOUNT" -> ANY_NUMBER;
            default -> EXACT;
        };
    }

    private static String second(List<String> words) {
        return words.size() < 2 ? "" : words.get(1).toUpperCase(Locale.ROOT);
    }

    /** Whether the two replies are equivalent; for random replies only their shape is compared here. */
    boolean same(List<String> words, Answer one, Answer other) {
        if (one.bytes().equals(other.bytes())) {
            return true;
        }
        Resp a = one.tree();
        Resp b = other.tree();
        if (a.isError() || b.isError() || a.kind() != b.kind()) {
            return false;
        }
        return switch (this) {
            case EXACT -> false;
            case BAG -> sorted(a, 1).equals(sorted(b, 1));
            case BAG_OF_PAIRS -> sorted(a, 2).equals(sorted(b, 2));
            case NEAR -> near(words, a, b);
            case CHANCE -> sameShape(a, b);
            case ENCODING ->
                !a.isNull()
                        && !b.isNull()
                        && HEAVIER.getOrDefault(b.text(), List.of()).contains(a.text());
            case GREETING -> greeting(a).equals(greeting(b));
            case ANY_NUMBER -> a.kind() == ':' && b.number() >= 0;
            case STREAM_TIMES -> StreamTimes.without(words, a).equals(StreamTimes.without(words, b));
        };
    }

    /** The items, or groups of them, in order of their bytes. */
    static List<String> sorted(Resp reply, int width) {
        if (!(reply instanceof Resp.Many many) || many.items().size() % width != 0) {
            return List.of(reply.encoded());
        }
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < many.items().size(); i += width) {
            StringBuilder group = new StringBuilder();
            many.items().subList(i, i + width).forEach(item -> group.append(item.encoded()));
            groups.add(group.toString());
        }
        Collections.sort(groups);
        return groups;
    }

    private static boolean near(List<String> words, Resp a, Resp b) {
        if (a.kind() != ':' || a.number() < 0 || b.number() < 0) {
            return false;
        }
        boolean millis = words.get(0).toUpperCase(Locale.ROOT).startsWith("P");
        return Math.abs(a.number() - b.number()) <= (millis ? 1000L * NEAR_SECONDS : NEAR_SECONDS);
    }

    private static boolean sameShape(Resp a, Resp b) {
        if (!(a instanceof Resp.Many one) || !(b instanceof Resp.Many other)) {
            return a.isNull() == b.isNull();
        }
        if (one.items().size() != other.items().size()) {
            return false;
        }
        return one.items().isEmpty()
                || one.items().get(0).getClass() == other.items().get(0).getClass();
    }

    private static List<String> greeting(Resp reply) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i + 1 < reply.items().size(); i += 2) {
            String name = reply.items().get(i).text();
            boolean own = name.equals("version") || name.equals("id");
            fields.add(name + "=" + (own ? "" : reply.items().get(i + 1).encoded()));
        }
        return fields;
    }
}
