package io.polytable.redis.command.node;

import io.polytable.redis.command.Command;
import io.polytable.redis.model.RedisError;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one event loop: calls, time and latency of each command, errors, bytes. Only its loop writes them, so
 * an increment is a plain addition; other threads may read slightly stale values.
 */
public final class Tally {
    /** The n-th bucket counts calls of up to 1024 * 2^n nanoseconds. */
    static final int BUCKETS = 32;

    private static final int CALLS = 0;
    private static final int NANOS = 1;
    private static final int FAILED = 2;
    private static final int REJECTED = 3;
    private static final int FIRST_BUCKET = 4;
    private static final int STRIDE = FIRST_BUCKET + BUCKETS;

    private static final int BYTES_IN = 0;
    private static final int BYTES_OUT = 1;
    private static final int TURNS = 2;
    private static final int FLUSHES = 3;
    private static final int READS = 4;
    private static final int WRITES = 5;
    private static final int TURN_NANOS = 6;
    private static final int EXPANDED = 7;
    private static final int SHRUNK = 8;
    private static final int TOTALS = 9;

    private final AtomicLongArray commands;
    private final Map<RedisError.Code, LongAdder> errors = new EnumMap<>(RedisError.Code.class);
    private final AtomicLongArray totals = new AtomicLongArray(TOTALS);

    Tally(int places) {
        commands = new AtomicLongArray(places * STRIDE);
        for (RedisError.Code code : RedisError.Code.values()) {
            errors.put(code, new LongAdder());
        }
    }

    public void ran(Command command, long nanos) {
        int at = command.index() * STRIDE;
        add(commands, at + CALLS, 1);
        add(commands, at + NANOS, nanos);
        add(commands, at + FIRST_BUCKET + bucket(nanos), 1);
    }

    private void count(RedisError.Code code) {
        LongAdder counted = errors.get(code);
        if (counted != null) {
            counted.increment();
        }
    }

    public void failed(Command command, RedisError.Code code) {
        add(commands, command.index() * STRIDE + FAILED, 1);
        count(code);
    }

    public void rejected(Command command, RedisError.Code code) {
        add(commands, command.index() * STRIDE + REJECTED, 1);
        count(code);
    }

    /** Counts an error before a command was found. */
    public void refused(RedisError.Code code) {
        count(code);
    }

    public void received(long bytes) {
        add(totals, BYTES_IN, bytes);
        add(totals, READS, 1);
    }

    public void sent(long bytes) {
        add(totals, BYTES_OUT, bytes);
        add(totals, WRITES, 1);
    }

    /** Counts a turn of the event loop in which commands ran. */
    public void turned(long nanos) {
        add(totals, TURNS, 1);
        add(totals, TURN_NANOS, nanos);
    }

    /** Counts a reply buffer that needed another part. */
    public void replyBufferExpanded() {
        add(totals, EXPANDED, 1);
    }

    /** Counts a reply buffer of several parts that was emptied. */
    public void replyBufferShrunk() {
        add(totals, SHRUNK, 1);
    }

    /** Counts a turn that flushed commits to the log. */
    public void flushed() {
        add(totals, FLUSHES, 1);
    }

    private static void add(AtomicLongArray counts, int index, long more) {
        counts.setOpaque(index, counts.getPlain(index) + more);
    }

    private static int bucket(long nanos) {
        long over = (nanos - 1) >> 10;
        return over <= 0 ? 0 : Math.min(BUCKETS - 1, 64 - Long.numberOfLeadingZeros(over));
    }

    long calls(int place) {
        return commands.getOpaque(place * STRIDE + CALLS);
    }

    long nanos(int place) {
        return commands.getOpaque(place * STRIDE + NANOS);
    }

    long failed(int place) {
        return commands.getOpaque(place * STRIDE + FAILED);
    }

    long rejected(int place) {
        return commands.getOpaque(place * STRIDE + REJECTED);
    }

    long bucketCount(int place, int bucket) {
        return commands.getOpaque(place * STRIDE + FIRST_BUCKET + bucket);
    }

    long errors(RedisError.Code code) {
        LongAdder counted = errors.get(code);
        return counted == null ? 0 : counted.sum();
    }

    long bytesIn() {
        return totals.getOpaque(BYTES_IN);
    }

    long bytesOut() {
        return totals.getOpaque(BYTES_OUT);
    }

    long turns() {
        return totals.getOpaque(TURNS);
    }

    long flushes() {
        return totals.getOpaque(FLUSHES);
    }

    long reads() {
        return totals.getOpaque(READS);
    }

    long writes() {
        return totals.getOpaque(WRITES);
    }

    long turnNanos() {
        return totals.getOpaque(TURN_NANOS);
    }

    long expanded() {
        return totals.getOpaque(EXPANDED);
    }

    long shrunk() {
        return totals.getOpaque(SHRUNK);
    }
}
