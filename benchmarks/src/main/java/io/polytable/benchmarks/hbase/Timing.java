package io.polytable.benchmarks.hbase;

/** The result of a load: operations per second, and the 99th percentile of the latency. */
record Timing(double perSecond, double slowMillis) {
    static final Timing NONE = new Timing(0, 0);

    Timing better(Timing other) {
        return other.perSecond > perSecond ? other : this;
    }
}
