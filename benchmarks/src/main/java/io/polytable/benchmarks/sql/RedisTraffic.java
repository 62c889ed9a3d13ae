package io.polytable.benchmarks.sql;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/** SETs of one Redis client, sixteen in a pipeline, until it is stopped. */
final class RedisTraffic implements AutoCloseable {
    private static final int PIPELINED = 16;
    private static final int LOADED_AT_ONCE = 1000;

    private final int port;
    private final long keys;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong count = new AtomicLong();
    private final Thread thread;

    RedisTraffic(int port, long keys) {
        this.port = port;
        this.keys = keys;
        thread = new Thread(this::run, "redis-traffic");
        thread.start();
    }

    static void load(int port, long keys) {
        try (Jedis jedis = new Jedis("127.0.0.1", port)) {
            for (long key = 0; key < keys; key += LOADED_AT_ONCE) {
                try (Pipeline pipeline = jedis.pipelined()) {
                    for (long i = key; i < Math.min(keys, key + LOADED_AT_ONCE); i++) {
                        pipeline.set("key:" + i, "value of " + i);
                    }
                }
            }
        }
    }

    private void run() {
        long next = 0;
        try (Jedis jedis = new Jedis("127.0.0.1", port)) {
            while (!stopped.get()) {
                try (Pipeline pipeline = jedis.pipelined()) {
                    for (int i = 0; i < PIPELINED; i++) {
                        pipeline.set("key:" + next++ * 7919 % keys, "another");
                    }
                }
                count.addAndGet(PIPELINED);
            }
        }
    }

    /** SETs per second during the work. */
    double during(Work work) throws Exception {
        long before = count.get();
        long begun = System.nanoTime();
        work.run();
        return (count.get() - before) / ((System.nanoTime() - begun) / 1e9);
    }

    /** The work beside the traffic. */
    interface Work {
        void run() throws Exception;
    }

    @Override
    public void close() {
        stopped.set(true);
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
