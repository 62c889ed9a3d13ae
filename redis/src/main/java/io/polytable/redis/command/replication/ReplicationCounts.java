package io.polytable.redis.command.replication;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What replication did since the last reset of the statistics, in both directions. Thread safe. */
public final class ReplicationCounts {
    private final LongAdder full = new LongAdder();
    private final LongAdder partial = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private long sampledMillis;
    private long sampledIn;
    private long sampledOut;
    private volatile double inPerSecond;
    private volatile double outPerSecond;

    /**
     * Counts a synchronization of a replica.
     *
     * @param streamId the stream that the replica knows, empty for none
     */
    void synchronizes(boolean continues, String streamId) {
        if (continues) {
            partial.increment();
            return;
        }
        full.increment();
        if (!streamId.isEmpty() && !streamId.equals("?")) {
            refused.increment();
        }
    }

    void received(long bytes) {
        bytesIn.add(bytes);
    }

    void sent(long bytes) {
        bytesOut.add(bytes);
    }

    /** Samples the bytes for the rates; called about once per second. */
    public synchronized void sample(long nowMillis) {
        double seconds = (double) (nowMillis - sampledMillis) / TimeUnit.SECONDS.toMillis(1);
        long in = bytesIn.sum();
        long out = bytesOut.sum();
        if (sampledMillis > 0 && seconds > 0) {
            inPerSecond = Math.max(0, in - sampledIn) / seconds;
            outPerSecond = Math.max(0, out - sampledOut) / seconds;
        }
        sampledMillis = nowMillis;
        sampledIn = in;
        sampledOut = out;
    }

    /** Replicas that received a whole file. */
    public long full() {
        return full.sum();
    }

    /** Replicas that continued where they were. */
    public long partial() {
        return partial.sum();
    }

    /** Replicas that wanted to continue and could not. */
    public long refused() {
        return refused.sum();
    }

    /** Bytes from the primary. */
    public long bytesIn() {
        return bytesIn.sum();
    }

    /** Bytes to replicas. */
    public long bytesOut() {
        return bytesOut.sum();
    }

    public double inPerSecond() {
        return inPerSecond;
    }

    public double outPerSecond() {
        return outPerSecond;
    }

    public void reset() {
        full.reset();
        partial.reset();
        refused.reset();
        bytesIn.reset();
        bytesOut.reset();
    }
}
