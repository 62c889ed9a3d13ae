package io.polytable.redis.model.geo;

/**
 * A cell of the grid that halves longitude and latitude in turn: the bits of both interleaved, latitude in the even
 * ones. A position's score in its sorted set is the cell of {@value #STEPS_MAX} steps, 52 bits, which a double holds.
 */
record GeoHash(long bits, int steps) {
    static final int STEPS_MAX = 26;
    static final double LONGITUDE_MAX = 180;

    /** Beyond the square of the Mercator projection there are no positions. */
    static final double LATITUDE_MAX = 85.05112878;

    private static final double TWO_TO_63 = 0x1p63;
    private static final double POLE = 90;
    private static final long EVEN = 0x5555555555555555L;
    private static final long ODD = 0xaaaaaaaaaaaaaaaaL;
    private static final String ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
    private static final int TEXT_LENGTH = 11;
    private static final int TEXT_BITS = 5;

    static GeoHash of(GeoPoint point, int steps) {
        return of(point, steps, LATITUDE_MAX);
    }

    private static GeoHash of(GeoPoint point, int steps, double latitudeMax) {
        long cells = 1L << steps;
        long x = (long) (cells * ((point.longitude() + LONGITUDE_MAX) / (2 * LONGITUDE_MAX)));
        long y = (long) (cells * ((point.latitude() + latitudeMax) / (2 * latitudeMax)));
        return new GeoHash(spread(y) | (spread(x) << 1), steps);
    }

    static GeoHash ofScore(double score) {
        return new GeoHash(unsigned(score), STEPS_MAX);
    }

    /** Any sorted set can be asked for positions: scores that are none convert to bits as C does it on our machines. */
    private static long unsigned(double score) {
        if (!(score >= TWO_TO_63)) {
            return (long) score;
        }
        double above = score - TWO_TO_63;
        return above < TWO_TO_63 ? (long) above ^ Long.MIN_VALUE : 0;
    }

    /** The lowest score in the cell. */
    double score() {
        return bits << (2 * (STEPS_MAX - steps));
    }

    /** The lowest score after the cell. */
    double scoreBehind() {
        return (bits + 1) << (2 * (STEPS_MAX - steps));
    }

    GeoBox box() {
        double cells = 1L << steps;
        double x = gather(bits >>> 1);
        double y = gather(bits);
        double width = 2 * LONGITUDE_MAX;
        double height = 2 * LATITUDE_MAX;
        return new GeoBox(
                -LONGITUDE_MAX + x / cells * width,
                -LATITUDE_MAX + y / cells * height,
                -LONGITUDE_MAX + (x + 1) / cells * width,
                -LATITUDE_MAX + (y + 1) / cells * height);
    }

    /** The neighbour to the east and to the north, each -1, 0 or 1; wraps around at the edges. */
    GeoHash neighbour(int east, int north) {
        long x = bits & ODD;
        long y = bits & EVEN;
        int unused = Long.SIZE - 2 * steps;
        long evenUsed = EVEN >>> unused;
        long oddUsed = ODD >>> unused;
        // Fills the other coordinate's bits so that a carry passes through them.
        if (east > 0) {
            x = (x + evenUsed + 1) & oddUsed;
        } else if (east < 0) {
            x = ((x | evenUsed) - (evenUsed + 1)) & oddUsed;
        }
        if (north > 0) {
            y = (y + oddUsed + 1) & evenUsed;
        } else if (north < 0) {
            y = ((y | oddUsed) - (oddUsed + 1)) & evenUsed;
        }
        return new GeoHash(x | y, steps);
    }

    /** The text of geohash.org, whose grid extends to the poles. */
    static String text(GeoPoint point) {
        long bits = of(point, STEPS_MAX, POLE).bits;
        StringBuilder text = new StringBuilder(TEXT_LENGTH);
        for (int i = 1; i < TEXT_LENGTH; i++) {
            text.append(ALPHABET.charAt((int) (bits >>> (2 * STEPS_MAX - i * TEXT_BITS)) & 0x1f));
        }
        // 52 bits are ten letters and two bits; Redis drops the two.
        return text.append(ALPHABET.charAt(0)).toString();
    }

    private static long spread(long low32) {
        long x = low32 & 0xffffffffL;
        x = (x | (x << 16)) & 0x0000ffff0000ffffL;
        x = (x | (x << 8)) & 0x00ff00ff00ff00ffL;
        x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0fL;
        x = (x | (x << 2)) & 0x3333333333333333L;
        return (x | (x << 1)) & EVEN;
    }

    private static long gather(long interleaved) {
        long x = interleaved & EVEN;
        x = (x | (x >>> 1)) & 0x3333333333333333L;
        x = (x | (x >>> 2)) & 0x0f0f0f0f0f0f0f0fL;
        x = (x | (x >>> 4)) & 0x00ff00ff00ff00ffL;
        x = (x | (x >>> 8)) & 0x0000ffff0000ffffL;
        return (x | (x >>> 16)) & 0x00000000ffffffffL;
    }
}
