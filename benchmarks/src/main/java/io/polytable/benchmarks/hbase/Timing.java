package io.polytable.benchmarks.hbase;

/** How a load ran: operations a second, and how long the slowest of a hundred calls took. */
record Timing(double perSecond, double slowMillis) {
    static final Timing NONE = new Timing(0, 0);

    Timing better(Timing other) {
        return other.perSecond > perSecond ? other : this;
    }
}
