package io.polytable.redis.model.hyperloglog;

/**
 * The estimator of Otmar Ertl ("New cardinality estimation algorithms for HyperLogLog sketches", 2017), which Redis
 * uses: no bias tables, no switch between ranges. The order of the floating point operations is Redis', so that the
 * last digit agrees too.
 */
final class Estimator {
    /** The bits of a hash that are left after the others chose the register. */
    static final int RANK_BITS = 50;

    private static final double ALPHA_INFINITY = 0.7213475204444817;

    private Estimator() {}

    /** Takes the number of registers of each rank. */
    static long estimate(int[] histogram) {
        double m = Sketch.REGISTERS;
        double z = m * tau((m - histogram[RANK_BITS + 1]) / m);
        for (int rank = RANK_BITS; rank >= 1; rank--) {
            z += histogram[rank];
            z *= 0.5;
        }
        z += m * sigma(histogram[0] / m);
        return Math.round(ALPHA_INFINITY * m * m / z);
    }

    private static double sigma(double fraction) {
        if (fraction == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double x = fraction;
        double y = 1;
        double z = x;
        double before;
        do {
            x *= x;
            before = z;
            z += x * y;
            y += y;
        } while (before != z);
        return z;
    }

    private static double tau(double fraction) {
        if (fraction == 0 || fraction == 1) {
            return 0;
        }
        double x = fraction;
        double y = 1;
        double z = 1 - x;
        double before;
        do {
            x = Math.sqrt(x);
            before = z;
            y *= 0.5;
            z -= (1 - x) * (1 - x) * y;
        } while (before != z);
        return z / 3;
    }
}
