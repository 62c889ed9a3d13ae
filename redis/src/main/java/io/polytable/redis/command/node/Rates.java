package io.polytable.redis.command.node;

/** Rates per second, from the last two samples of the totals. */
public final class Rates {
    private long lastMillis;
    private Statistics.Totals last = new Statistics.Totals(0, 0, 0, 0, 0, 0);
    private volatile Rate rate = new Rate(0, 0, 0);

    /** Commands, and bytes in each direction, per second. */
    public record Rate(double commands, double bytesIn, double bytesOut) {}

    synchronized void sample(Statistics.Totals now, long nowMillis) {
        double seconds = (nowMillis - lastMillis) / 1000.0;
        if (lastMillis > 0 && seconds > 0) {
            rate = new Rate(
                    Math.max(0, now.commands() - last.commands()) / seconds,
                    Math.max(0, now.bytesIn() - last.bytesIn()) / seconds,
                    Math.max(0, now.bytesOut() - last.bytesOut()) / seconds);
        }
        lastMillis = nowMillis;
        last = now;
    }

    Rate rate() {
        return rate;
    }
}
