package io.polytable.redis.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * Writes moves from a seed. The first two connections never block, so that somebody can always continue.
 *
 * <p>Where several keys become ready at once, 7.0 serves a call that waits for several of them by the order of the writes, 7.2 by
 * the order of its words, where a key of another type is an error. So a script has either calls that wait for several keys,
 * and sorted sets alone, or writes that fill several.
 */
final class InterleavedScript {
    static final int CONNECTIONS = 7;
    static final int FREE_CONNECTIONS = 2;

    private static final Set<String> ONLY_WITH_SINGLE_WAITS = Set.of(
            "MULTI",
            "SET",
            "INCR",
            "APPEND",
            "LPUSH",
            "RPUSH",
            "RPOPLPUSH",
            "BLPOP",
            "BRPOP",
            "BLMPOP",
            "BLMOVE",
            "BRPOPLPUSH");

    private static final List<String> KEYS = List.of("k1", "k2", "k3", "k4");

    /** One connection sends one command. A word {@code @n} stands for the id of connection n. */
    record Move(int connection, List<String> words) {
        @Override
        public String toString() {
            return connection + "> " + String.join(" ", words);
        }
    }

    private final Random random;
    private final Set<String> known;
    private final boolean waitsForSeveral;
    private final boolean[] queueing = new boolean[CONNECTIONS];

    private InterleavedScript(long seed, Set<String> known) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.known = known;
        this.waitsForSeveral = seed % 2 == 0;
    }

    /** Only with commands that the server under test has. */
    static List<Move> write(long seed, int moves, Set<String> known) {
        InterleavedScript script = new InterleavedScript(seed, known);
        List<Move> all = new ArrayList<>();
        while (all.size() < moves) {
            int connection = script.random.nextInt(CONNECTIONS);
            List<String> words = script.words(connection);
            if (known.contains(words.get(0).toLowerCase(Locale.ROOT))
                    || words.get(0).equals("NOSUCH")) {
                all.add(new Move(connection, words));
            }
        }
        all.addAll(script.closing());
        return all;
    }

    /** What is there in the end, and that nobody waits any more. */
    private List<Move> closing() {
        List<Move> all = new ArrayList<>();
        all.add(move("RESET"));
        for (int i = FREE_CONNECTIONS; i < CONNECTIONS; i++) {
            all.add(move("CLIENT UNBLOCK @" + i));
        }
        for (String database : List.of("0", "1")) {
            all.add(move("SELECT " + database));
            all.add(move("DBSIZE"));
            for (String key : KEYS) {
                all.add(move("TYPE " + key));
                all.add(move("ZRANGE " + key + " 0 -1 WITHSCORES"));
                all.add(move("GET " + key));
                if (known.contains("lrange")) {
                    all.add(move("LRANGE " + key + " 0 -1"));
                }
            }
        }
        return all;
    }

    private static Move move(String line) {
        return new Move(0, Arrays.asList(line.split(" ", -1)));
    }

    private List<String> words(int connection) {
        String line = queueing[connection] ? queued() : free(connection);
        String name = line.split(" ", -1)[0];
        if (waitsForSeveral && ONLY_WITH_SINGLE_WAITS.contains(name)) {
            return List.of("PING");
        }
        if (name.equals("MULTI")) {
            queueing[connection] = true;
        } else if (Set.of("EXEC", "DISCARD", "RESET").contains(name)) {
            queueing[connection] = false;
        }
        return Arrays.asList(line.split(" ", -1));
    }

    private String queued() {
        if (percent(30)) {
            return pick("EXEC", "EXEC", "EXEC", "EXEC", "EXEC", "EXEC", "DISCARD", "RESET", "EXEC now");
        }
        if (percent(8)) {
            return pick("MULTI", "WATCH k1", "NOSUCH", "GET", "UNWATCH", "CLIENT NO-EVICT OFF", "SELECT 1", "SELECT 0");
        }
        return percent(20) ? blocking() : data();
    }

    private String free(int connection) {
        if (percent(14)) {
            return "MULTI";
        }
        if (percent(12)) {
            return pick("WATCH " + key(), "WATCH " + key() + " " + key(), "UNWATCH", "EXEC", "DISCARD");
        }
        if (percent(5)) {
            int other = FREE_CONNECTIONS + random.nextInt(CONNECTIONS - FREE_CONNECTIONS);
            return pick(
                    "CLIENT UNBLOCK @" + other,
                    "CLIENT UNBLOCK @" + other + " TIMEOUT",
                    "CLIENT UNBLOCK @" + other + " ERROR",
                    "CLIENT KILL ID @" + other);
        }
        return connection >= FREE_CONNECTIONS && percent(45) ? blocking() : data();
    }

    private String blocking() {
        String timeout = pick("0", "0", "0", "0", "0", "0.001", "0.02", "x", "-1");
        String keys = waitsForSeveral && percent(50) ? key() + " " + key() : key();
        int count = keys.split(" ", -1).length;
        return pick(
                "BZPOPMIN " + keys + " " + timeout,
                "BZPOPMAX " + keys + " " + timeout,
                "BZMPOP " + timeout + " " + count + " " + keys + pick(" MIN", " MAX") + pick("", " COUNT 2"),
                "BLPOP " + keys + " " + timeout,
                "BRPOP " + keys + " " + timeout,
                "BLMPOP " + timeout + " " + count + " " + keys + pick(" LEFT", " RIGHT") + pick("", " COUNT 2"),
                "BLMOVE " + key() + " " + key() + pick(" LEFT", " RIGHT") + pick(" LEFT ", " RIGHT ") + timeout,
                "BRPOPLPUSH " + key() + " " + key() + " " + timeout);
    }

    private String data() {
        if (percent(55)) {
            return adding();
        }
        if (percent(10)) {
            return waitsForSeveral ? pick("DBSIZE", "FLUSHDB") : pick("SWAPDB 0 1", "FLUSHALL", "DBSIZE", "FLUSHDB");
        }
        return pick(
                "GET " + key(),
                "TYPE " + key(),
                "EXISTS " + key() + " " + key(),
                "DEL " + key(),
                "ZCARD " + key(),
                "ZPOPMIN " + key(),
                "ZREM " + key() + " " + member(),
                "ZRANGE " + key() + " 0 -1",
                "LLEN " + key(),
                "LPOP " + key(),
                "PERSIST " + key(),
                "EXPIRE " + key() + " 1000",
                "PEXPIREAT " + key() + " 1",
                "ECHO hello");
    }

    private String adding() {
        String value = member();
        return pick(
                "ZADD " + key() + " " + random.nextInt(10) + " " + value,
                "ZADD " + key() + " " + random.nextInt(10) + " " + value + " " + random.nextInt(10) + " " + member(),
                "ZINCRBY " + key() + " 1 " + value,
                "ZUNIONSTORE " + key() + " 2 " + key() + " " + key(),
                "ZRANGESTORE " + key() + " " + key() + " 0 -1",
                "RENAME " + key() + " " + key(),
                "RENAMENX " + key() + " " + key(),
                "COPY " + key() + " " + key() + pick("", " REPLACE", " DB 1"),
                "MOVE " + key() + " 1",
                "LPUSH " + key() + " " + value,
                "RPUSH " + key() + " " + value + " " + member(),
                "RPOPLPUSH " + key() + " " + key(),
                "SET " + key() + " " + value,
                "INCR " + key(),
                "APPEND " + key() + " x",
                "ZADD " + key() + " x " + value);
    }

    private boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String key() {
        return KEYS.get(random.nextInt(KEYS.size()));
    }

    private String member() {
        return "m" + random.nextInt(6);
    }
}
