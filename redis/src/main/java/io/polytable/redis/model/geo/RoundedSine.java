package io.polytable.redis.model.geo;

/**
 * Sine, cosine and arcsine rounded to the nearest double, as the C library computes them nearly always; Java's own may be
 * one unit off in the last place. Computed with about thirty digits, so only for what is stored.
 */
final class RoundedSine {
    /** Enough terms of the series for arguments up to pi. */
    private static final int TERMS = 25;

    private RoundedSine() {}

    /** An unevaluated sum of two doubles. */
    private record Pair(double high, double low) {
        static final Pair ONE = new Pair(1, 0);

        Pair plus(Pair other) {
            double sum = high + other.high;
            double back = sum - high;
            double rest = (high - (sum - back)) + (other.high - back) + low + other.low;
            return normal(sum, rest);
        }

        Pair times(Pair other) {
            double product = high * other.high;
            double rest = Math.fma(high, other.high, -product) + high * other.low + low * other.high;
            return normal(product, rest);
        }

        Pair dividedBy(double divisor) {
            double quotient = high / divisor;
            double rest = (Math.fma(-quotient, divisor, high) + low) / divisor;
            return normal(quotient, rest);
        }

        private static Pair normal(double high, double low) {
            double sum = high + low;
            return new Pair(sum, low - (sum - high));
        }
    }

    /** The series of sine or cosine from its first term and the factorial that divides it. */
    private static Pair series(Pair first, int factor, double x) {
        Pair negativeSquare = new Pair(-x, 0).times(new Pair(x, 0));
        Pair term = first;
        Pair sum = first;
        int next = factor;
        for (int i = 0; i < TERMS; i++) {
            term = term.times(negativeSquare).dividedBy((next + 1.0) * (next + 2));
            sum = sum.plus(term);
            next += 2;
        }
        return sum;
    }

    static double sin(double x) {
        return series(new Pair(x, 0), 1, x).high;
    }

    static double cos(double x) {
        return series(Pair.ONE, 0, x).high;
    }

    /** One step of Newton's method from Java's value, whose error is far below the step's. */
    static double asin(double y) {
        double near = StrictMath.asin(y);
        double slope = series(Pair.ONE, 0, near).high;
        if (Math.abs(slope) < 1e-6) {
            return near;
        }
        Pair error = new Pair(y, 0).plus(series(new Pair(-near, 0), 1, near));
        return near + error.high / slope;
    }
}
