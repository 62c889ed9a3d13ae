package io.polytable.redis.command.node;

/** Rates per second, from the last two samples of the totals. */
public final class Rates {
    private long lastMillis;
    private Statistics.Totals last = new Statistics.Totals(0, 0, 0, 0, 0, 0, Statistics.LoopTotals.ZERO);
    private volatile Rate rate = new Rate(0, 0, 0, 0, 0);

    /** Commands, bytes in each direction and turns of the event loops per second; and how long a turn took. */
    public record Rate(double commands, double bytesIn, double bytesOut, double turns, double turnMicros) {}

    synchronized void sample(Statistics.Totals now, long nowMillis) {
        double seconds = (nowMillis - lastMillis) / 1000.0;
        if (lastMillis > 0 && seconds > 0) {
            long turns = Math.max(0, now.turns() - last.turns());
            long turnNanos = Math.max(0, now.loops().turnNanos() - last.loops().turnNanos());
            rate = new Rate(
                    Math.max(0, now.commands() - last.commands()) / seconds,
                    Math.max(0, now.bytesIn() - last.bytesIn()) / seconds,
                    Math.max(0, now.bytesOut() - last.bytesOut()) / seconds,
                    turns / seconds,
                    turns == 0 ? 0 : turnNanos / 1000.0 / turns);
        }
        lastMillis = nowMillis;
        last = now;
    }

    Rate rate() {
        return rate;
    }
}
