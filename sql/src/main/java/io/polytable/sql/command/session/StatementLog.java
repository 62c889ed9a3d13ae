package io.polytable.sql.command.session;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Statistics of statements: counters, and the latest slow statements. */
public final class StatementLog {
    private static final int SLOW_MAX = 200;
    private static final int TEXT_CHARS_MAX = 500;
    private static final long SLOW_MICROS = 100_000;

    /** Bucket i holds latencies up to 2^i microseconds, the last one everything longer than about 33 seconds. */
    private static final int LATENCY_BUCKETS = 27;

    private final InstantSource clock;
    private final Deque<Slow> slow = new ArrayDeque<>();
    private final LongAdder statements = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder byKey = new LongAdder();
    private final LongAdder throughDuck = new LongAdder();
    private final LongAdder micros = new LongAdder();
    private final AtomicLongArray latencies = new AtomicLongArray(LATENCY_BUCKETS);

    /** A slow statement. */
    public record Slow(Instant at, String user, String text, long micros) {}

    StatementLog(InstantSource clock) {
        this.clock = clock;
    }

    /** @param shown the text that others may see; computed only for a slow statement */
    void record(String user, Supplier<String> shown, long tookMicros) {
        statements.increment();
        micros.add(tookMicros);
        latencies.getAndIncrement(
                Math.min(LATENCY_BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, tookMicros) - 1)));
        if (tookMicros < SLOW_MICROS) {
            return;
        }
        String text = shown.get();
        String kept = text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) + "..." : text;
        synchronized (slow) {
            slow.addLast(new Slow(clock.instant(), user, kept, tookMicros));
            if (slow.size() > SLOW_MAX) {
                slow.removeFirst();
            }
        }
    }

    void failed() {
        errors.increment();
    }

    public void answeredByKey() {
        byKey.increment();
    }

    public void answeredByDuck() {
        throughDuck.increment();
    }

    public List<Slow> slow() {
        synchronized (slow) {
            return new ArrayList<>(slow);
        }
    }

    /**
     * A histogram of statement latencies.
     *
     * @param counts the count of each bucket alone; bucket i ends at 2^i microseconds, the last one has no end
     */
    public record Latencies(List<Long> counts, long sumMicros) {
        public Latencies {
            counts = List.copyOf(counts);
        }
    }

    public Latencies latencies() {
        List<Long> counts =
                IntStream.range(0, LATENCY_BUCKETS).mapToObj(latencies::get).toList();
        return new Latencies(counts, micros.sum());
    }

    /** A counter. */
    public record Count(String name, long value) {}

    public List<Count> counts() {
        return List.of(
                new Count("statements", statements.sum()),
                new Count("statement_errors", errors.sum()),
                new Count("statements_on_own_path", byKey.sum()),
                new Count("statements_through_duckdb", throughDuck.sum()),
                new Count("statement_micros", micros.sum()));
    }
}
