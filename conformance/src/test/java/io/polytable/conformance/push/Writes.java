package io.polytable.conformance.push;

import io.polytable.conformance.history.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Random commands that read and write a few keys of all types, among those that a server knows. */
final class Writes {
    private static final List<String> WRITES = List.of(
            "SET K V",
            "SET K V EX 100",
            "SET K V KEEPTTL",
            "SETNX K V",
            "GETSET K V",
            "GETDEL K",
            "APPEND K V",
            "INCR K",
            "SETRANGE K 2 V",
            "MSET K V K V",
            "MSETNX K V K V",
            "SETEX K 100 V",
            "GETEX K PERSIST",
            "GETEX K EX 100",
            "DEL K",
            "DEL K K K",
            "UNLINK K K",
            "RENAME K K",
            "RENAMENX K K",
            "COPY K K",
            "COPY K K REPLACE",
            "EXPIRE K 100",
            "EXPIRE K 0",
            "EXPIRE K -1",
            "PEXPIREAT K 1",
            "PERSIST K",
            "MOVE K 1",
            "HSET K f V",
            "HSET K f V g V",
            "HDEL K f",
            "HDEL K f g",
            "HINCRBY K n 1",
            "HSETNX K f V",
            "SADD K a b",
            "SADD K a",
            "SREM K a",
            "SREM K a b c",
            "SMOVE K K a",
            "SUNIONSTORE K K K",
            "SINTERSTORE K K K",
            "SDIFFSTORE K K K",
            "ZADD K 1 a 2 b",
            "ZADD K XX 3 a",
            "ZADD K GT CH 5 a",
            "ZINCRBY K 1 a",
            "ZREM K a",
            "ZREM K a b",
            "ZPOPMIN K",
            "ZPOPMAX K 5",
            "ZREMRANGEBYRANK K 0 0",
            "ZREMRANGEBYSCORE K -inf 2",
            "ZUNIONSTORE K 2 K K",
            "ZRANGESTORE K K 0 -1",
            "SETBIT K 5 1",
            "BITOP NOT K K",
            "PFADD K a b",
            "PFMERGE K K",
            "GEOADD K 1 1 a",
            "LPUSH K a b",
            "RPUSH K a",
            "LPUSHX K a",
            "LPOP K",
            "RPOP K 2",
            "LSET K 0 V",
            "LINSERT K BEFORE a V",
            "LREM K 0 a",
            "LTRIM K 0 0",
            "LTRIM K 5 6",
            "LMOVE K K LEFT RIGHT",
            "RPOPLPUSH K K",
            "XADD K 1-* f V",
            "XADD K MAXLEN 1 5-* f V",
            "XDEL K 1-0",
            "XTRIM K MAXLEN 0",
            "XGROUP CREATE K g 0 MKSTREAM",
            "XTRIM K MAXLEN 2",
            "XGROUP DESTROY K g",
            "XSETID K 100-0",
            "SWAPDB 0 1");

    private static final List<String> READS = List.of(
            "GET K",
            "MGET K K",
            "EXISTS K K",
            "STRLEN K",
            "TTL K",
            "TYPE K",
            "HGET K f",
            "HLEN K",
            "SCARD K",
            "SISMEMBER K a",
            "SINTERCARD 2 K K",
            "ZSCORE K a",
            "ZCARD K",
            "ZRANGE K 0 -1",
            "GETRANGE K 0 3",
            "BITCOUNT K",
            "LLEN K",
            "LRANGE K 0 -1",
            "XLEN K",
            "TOUCH K K",
            "PFCOUNT K");

    private final Dice dice;
    private final List<String> writes;
    private final List<String> reads;

    Writes(Dice dice, Set<String> known) {
        this.dice = dice;
        this.writes = WRITES.stream().filter(line -> isKnown(line, known)).toList();
        this.reads = READS.stream().filter(line -> isKnown(line, known)).toList();
    }

    private static boolean isKnown(String line, Set<String> known) {
        return known.contains(line.split(" ", -1)[0].toLowerCase(java.util.Locale.ROOT));
    }

    String[] write() {
        return fill(dice.pick(writes));
    }

    String[] read() {
        return fill(dice.pick(reads));
    }

    private String[] fill(String template) {
        List<String> words = new ArrayList<>();
        for (String word : template.split(" ", -1)) {
            words.add(
                    switch (word) {
                        case "K" -> key();
                        case "V" -> Integer.toString(dice.below(100));
                        default -> word;
                    });
        }
        return words.toArray(String[]::new);
    }

    String key() {
        return dice.pick("a", "b", "c", "aa", "ab", "ba", "d");
    }
}
