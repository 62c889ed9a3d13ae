package io.polytable.benchmarks;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.ZRangeParams;

/** The cost of operations by the size of the collection; run by {@code scaling.sh}. */
public final class ScalingBenchmark {
    private static final List<Integer> SIZES = List.of(100, 1_000, 10_000, 100_000, 1_000_000);
    private static final int OPERATIONS = 20_000;
    private static final int PIPELINE = 16;
    private static final int WINDOW = 10;
    private static final int DELETED_COLLECTIONS = 5;

    private final Jedis jedis;
    private final Random random = new Random(1);
    private final Map<String, List<Double>> microsByOperation = new LinkedHashMap<>();

    private ScalingBenchmark(Jedis jedis) {
        this.jedis = jedis;
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            try (Jedis jedis = new Jedis("127.0.0.1", Integer.parseInt(arguments[i + 1]), 600_000)) {
                new ScalingBenchmark(jedis).run(arguments[i], out);
            }
        }
    }

    private void run(String name, PrintStream out) {
        jedis.flushAll();
        // A warm-up round, so that the smallest size does not pay for it.
        measure(SIZES.get(1));
        microsByOperation.clear();
        SIZES.forEach(this::measure);
        print(name, out);
    }

    private void measure(int size) {
        jedis.flushAll();
        fill("h", "z", size);
        byField("HGET", size, (pipeline, field) -> pipeline.hget("h", field));
        byField("HSET", size, (pipeline, field) -> pipeline.hset("h", field, "changed"));
        byField("ZSCORE", size, (pipeline, field) -> pipeline.zscore("z", field));
        byField("ZADD", size, (pipeline, field) -> pipeline.zadd("z", random.nextInt(size), field));
        remove(size);
        // The first read of a part of the set since it was written, and later ones.
        byNumber("ZRANGEBYSCORE first", size, (pipeline, number) -> pipeline.zrange("z", byScore(number)));
        byNumber("ZRANGEBYSCORE LIMIT", size, (pipeline, number) -> pipeline.zrange("z", byScore(number)));
        byNumber("ZRANGE by index", size, (pipeline, number) -> pipeline.zrange("z", number, number + WINDOW - 1L));
        byField("ZRANK", size, (pipeline, field) -> pipeline.zrank("z", field));
        byNumber("EXPIRE", size, (pipeline, number) -> pipeline.expire("z", 100_000L + number));
        lists(size);
        sets(size);
        streams(size);
        delete(size);
    }

    private void lists(int size) {
        batched(size, number -> number, (pipeline, number) -> pipeline.rpush("l", field(number)));
        byNumber("LINDEX", size, (pipeline, number) -> pipeline.lindex("l", number));
        byNumber("LINDEX middle", size, (pipeline, number) -> pipeline.lindex("l", size / 2));
        byNumber("LPUSH", size, (pipeline, number) -> pipeline.lpush("l", "pushed"));
        byNumber("LTRIM after LPUSH", size, (pipeline, number) -> {
            Response<Long> unused = pipeline.lpush("l", "pushed");
            return pipeline.ltrim("l", 0, size - 1L);
        });
        jedis.lset("l", size / 2, "middle");
        jedis.lrem("l", 1, "middle");
        byNumber("LINDEX after LREM", size, (pipeline, number) -> pipeline.lindex("l", number));
        byNumber("LPUSH after LREM", size, (pipeline, number) -> pipeline.lpush("l", "pushed"));
        // Like a long-running queue: all but a few elements are removed.
        jedis.ltrim("l", 0, WINDOW - 1L);
        byNumber("LRANGE after LTRIM", size, (pipeline, number) -> pipeline.lrange("l", 0, -1));
        jedis.del("l");
    }

    private void sets(int size) {
        batched(size, number -> number, (pipeline, number) -> pipeline.sadd("m", field(number)));
        byField("SADD", size, (pipeline, field) -> pipeline.sadd("m", field));
        byField("SISMEMBER", size, (pipeline, field) -> pipeline.sismember("m", field));
        // The other operand stays small: the cost of an intersection must depend on the smaller one.
        batched(WINDOW, number -> number, (pipeline, number) -> pipeline.sadd("n", field(number)));
        byNumber("SINTER of two", size, (pipeline, number) -> pipeline.sinter("m", "n"));
        batched(size - WINDOW, number -> number, (pipeline, number) -> pipeline.srem("m", field(number)));
        byNumber("SMEMBERS after SREM", size, (pipeline, number) -> pipeline.smembers("m"));
        jedis.del("m", "n");
    }

    private void streams(int size) {
        Map<String, String> fields = Map.of("field", "value");
        batched(size, number -> number, (pipeline, number) -> pipeline.xadd("s", StreamEntryID.NEW_ENTRY, fields));
        jedis.xgroupCreate("s", "g", new StreamEntryID(0, 0), false);
        byNumber("XADD", size, (pipeline, number) -> pipeline.xadd("s", StreamEntryID.NEW_ENTRY, fields));
        byNumber(
                "XREADGROUP",
                size,
                (pipeline, number) -> pipeline.sendCommand(
                        Protocol.Command.XREADGROUP, "GROUP", "g", "c", "COUNT", "1", "STREAMS", "s", ">"));
        long unused = jedis.xtrim("s", WINDOW, false);
        byNumber("XRANGE after XTRIM", size, (pipeline, number) -> pipeline.xrange("s", "-", "+"));
        jedis.del("s");
    }

    private static ZRangeParams byScore(int from) {
        return ZRangeParams.zrangeByScoreParams(from, Double.POSITIVE_INFINITY).limit(0, WINDOW);
    }

    private void fill(String hash, String sortedSet, int size) {
        batched(size, number -> number, (pipeline, number) -> pipeline.hset(hash, field(number), "value:" + number));
        batched(size, number -> number, (pipeline, number) -> pipeline.zadd(sortedSet, number, field(number)));
    }

    private static String field(int number) {
        return "element:" + number;
    }

    /** An operation that is sent and whose reply comes with the others of its batch. */
    private interface Sent<T> {
        Response<?> send(Pipeline pipeline, T argument);
    }

    private interface Numbering {
        int of(int number);
    }

    private void byField(String name, int size, Sent<String> operation) {
        byNumber(name, size, (pipeline, number) -> operation.send(pipeline, field(number)));
    }

    private void byNumber(String name, int size, Sent<Integer> operation) {
        record(name, OPERATIONS, () -> batched(OPERATIONS, unused -> random.nextInt(size), operation));
    }

    /** Removes members a batch at a time, and puts each batch back before the next. */
    private void remove(int size) {
        long nanos = 0;
        for (int done = 0; done < OPERATIONS; done += PIPELINE) {
            int first = random.nextInt(size - PIPELINE);
            nanos += timed(PIPELINE, number -> first + number, (pipeline, number) -> pipeline.zrem("z", field(number)));
            long unused = timed(
                    PIPELINE,
                    number -> first + number,
                    (pipeline, number) -> pipeline.zadd("z", random.nextInt(size), field(number)));
        }
        add("ZREM", nanos / 1000.0 / OPERATIONS);
    }

    private long timed(int count, Numbering numbering, Sent<Integer> operation) {
        long start = System.nanoTime();
        batched(count, numbering, operation);
        return System.nanoTime() - start;
    }

    private void delete(int size) {
        for (int i = 0; i < DELETED_COLLECTIONS; i++) {
            fill("h" + i, "z" + i, Math.min(size, SIZES.get(SIZES.size() - 2)));
        }
        List<String> keys = new ArrayList<>(List.of("h", "z"));
        for (int i = 0; i < DELETED_COLLECTIONS; i++) {
            keys.addAll(List.of("h" + i, "z" + i));
        }
        record("DEL", keys.size(), () -> keys.forEach(jedis::del));
    }

    private void record(String name, int operations, Runnable action) {
        long start = System.nanoTime();
        action.run();
        add(name, (System.nanoTime() - start) / 1000.0 / operations);
    }

    private void add(String name, double micros) {
        microsByOperation.computeIfAbsent(name, unused -> new ArrayList<>()).add(micros);
    }

    private void batched(int count, Numbering numbering, Sent<Integer> operation) {
        int batch = count > OPERATIONS ? 512 : PIPELINE;
        for (int done = 0; done < count; done += batch) {
            try (Pipeline pipeline = jedis.pipelined()) {
                int until = Math.min(count, done + batch);
                forEach(done, until, number -> {
                    Response<?> unused = operation.send(pipeline, numbering.of(number));
                });
                pipeline.sync();
            }
        }
    }

    private static void forEach(int from, int to, IntConsumer action) {
        for (int i = from; i < to; i++) {
            action.accept(i);
        }
    }

    private void print(String name, PrintStream out) {
        out.printf(Locale.ROOT, "%n%s: microseconds per operation by number of elements, -P %d%n", name, PIPELINE);
        out.printf(Locale.ROOT, "%-20s", "");
        SIZES.forEach(size -> out.printf(Locale.ROOT, "%10d", size));
        out.println("   largest/smallest");
        microsByOperation.forEach((operation, micros) -> {
            out.printf(Locale.ROOT, "%-20s", operation);
            micros.forEach(value -> out.printf(Locale.ROOT, "%10.1f", value));
            out.printf(Locale.ROOT, "%10.1f%n", micros.get(micros.size() - 1) / micros.get(0));
        });
    }
}
