package io.polytable.redis.command.node;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.model.RedisError;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/**
 * The sums of all {@link Tally tallies}, for INFO, LATENCY and the metrics page. A reset stores the counts as a
 * baseline, since only the loops may write their tallies.
 */
public final class Statistics {
    private final List<Tally> tallies = new CopyOnWriteArrayList<>();
    private final Rates rates = new Rates();

    /** The number of counted commands; zero until the first loop starts. */
    private volatile int places;

    private volatile Frame atReset = frame();
    private volatile long[][] histogramsAtReset = {};

    /** One command's numbers since the last reset. */
    public record CommandCount(long calls, long nanos, long failed, long rejected) {
        static final CommandCount ZERO = new CommandCount(0, 0, 0, 0);

        public boolean isZero() {
            return calls == 0 && rejected == 0 && failed == 0;
        }
    }

    /** The server's numbers since the last reset. */
    public record Totals(
            long commands, long errors, long bytesIn, long bytesOut, long turns, long flushes, LoopTotals loops) {}

    /** What the event loops did since the last reset. */
    public record LoopTotals(
            long reads, long writes, long turnNanos, long commandNanos, long buffersExpanded, long buffersShrunk) {
        static final LoopTotals ZERO = new LoopTotals(0, 0, 0, 0, 0, 0);

        private LoopTotals since(LoopTotals then) {
            return new LoopTotals(
                    reads - then.reads,
                    writes - then.writes,
                    turnNanos - then.turnNanos,
                    commandNanos - then.commandNanos,
                    buffersExpanded - then.buffersExpanded,
                    buffersShrunk - then.buffersShrunk);
        }
    }

    private record Frame(List<CommandCount> commands, Map<RedisError.Code, Long> errors, Totals totals) {}

    /** A loop's own counters for the commands of the table. */
    public synchronized Tally newTally(CommandTable table) {
        if (!tallies.isEmpty() && places != table.places()) {
            throw new IllegalStateException("a node counts the commands of one table");
        }
        places = table.places();
        Tally tally = new Tally(places);
        tallies.add(tally);
        return tally;
    }

    public CommandCount of(Command command) {
        CommandCount now = count(command.index());
        List<CommandCount> reset = atReset.commands;
        CommandCount then = command.index() < reset.size() ? reset.get(command.index()) : CommandCount.ZERO;
        return new CommandCount(
                now.calls - then.calls, now.nanos - then.nanos, now.failed - then.failed, now.rejected - then.rejected);
    }

    public long errors(RedisError.Code code) {
        return sum(tally -> tally.errors(code)) - atReset.errors.getOrDefault(code, 0L);
    }

    public Totals totals() {
        Totals now = sums();
        Totals then = atReset.totals;
        return new Totals(
                now.commands - then.commands,
                now.errors - then.errors,
                now.bytesIn - then.bytesIn,
                now.bytesOut - then.bytesOut,
                now.turns - then.turns,
                now.flushes - then.flushes,
                now.loops.since(then.loops));
    }

    /** The number of calls in each bucket, up to the bound {@link #bucketNanos}. */
    public long[] histogram(Command command) {
        long[] counts = histogram(command.index());
        long[][] reset = histogramsAtReset;
        if (command.index() < reset.length) {
            long[] then = reset[command.index()];
            for (int i = 0; i < counts.length; i++) {
                counts[i] -= then[i];
            }
        }
        return counts;
    }

    public static long bucketNanos(int bucket) {
        return 1024L << bucket;
    }

    /** Samples the totals for the rates; to be called about once per second. */
    public void sample(long nowMillis) {
        rates.sample(totals(), nowMillis);
    }

    public Rates.Rate rate() {
        return rates.rate();
    }

    void reset() {
        atReset = frame();
        resetHistograms();
    }

    /** Resets the latencies of all commands (CONFIG RESETSTAT does, LATENCY RESET does not). */
    private void resetHistograms() {
        long[][] all = new long[places][];
        for (int place = 0; place < places; place++) {
            all[place] = histogram(place);
        }
        histogramsAtReset = all;
    }

    private long[] histogram(int place) {
        long[] counts = new long[Tally.BUCKETS];
        for (Tally tally : tallies) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += tally.bucketCount(place, i);
            }
        }
        return counts;
    }

    private Frame frame() {
        List<CommandCount> commands = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            commands.add(count(place));
        }
        Map<RedisError.Code, Long> errors = new EnumMap<>(RedisError.Code.class);
        for (RedisError.Code code : RedisError.Code.values()) {
            errors.put(code, sum(tally -> tally.errors(code)));
        }
        return new Frame(commands, errors, sums());
    }

    private CommandCount count(int place) {
        return new CommandCount(
                sum(tally -> tally.calls(place)),
                sum(tally -> tally.nanos(place)),
                sum(tally -> tally.failed(place)),
                sum(tally -> tally.rejected(place)));
    }

    private Totals sums() {
        long commands = 0;
        long commandNanos = 0;
        for (int place = 0; place < places; place++) {
            int each = place;
            commands += sum(tally -> tally.calls(each));
            commandNanos += sum(tally -> tally.nanos(each));
        }
        long errors = 0;
        for (RedisError.Code code : RedisError.Code.values()) {
            errors += sum(tally -> tally.errors(code));
        }
        LoopTotals loops = new LoopTotals(
                sum(Tally::reads),
                sum(Tally::writes),
                sum(Tally::turnNanos),
                commandNanos,
                sum(Tally::expanded),
                sum(Tally::shrunk));
        return new Totals(
                commands,
                errors,
                sum(Tally::bytesIn),
                sum(Tally::bytesOut),
                sum(Tally::turns),
                sum(Tally::flushes),
                loops);
    }

    private long sum(ToLongFunction<Tally> part) {
        long sum = 0;
        for (Tally tally : tallies) {
            sum += part.applyAsLong(tally);
        }
        return sum;
    }
}
