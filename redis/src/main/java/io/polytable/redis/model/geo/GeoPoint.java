package io.polytable.redis.model.geo;

/** A position on the globe, in degrees. */
public record GeoPoint(double longitude, double latitude) {
    static final double EARTH_RADIUS_METRES = 6372797.560856;

    /** Whether sorted sets can hold it. */
    public boolean isOnTheMap() {
        return Math.abs(longitude) <= GeoHash.LONGITUDE_MAX && Math.abs(latitude) <= GeoHash.LATITUDE_MAX;
    }

    public double score() {
        return GeoHash.of(this, GeoHash.STEPS_MAX).score();
    }

    /** The middle of the score's cell: the precision that a stored position keeps. */
    public static GeoPoint ofScore(double score) {
        return GeoHash.ofScore(score).box().middle();
    }

    /** The text of geohash.org. */
    public String hashText() {
        return GeoHash.text(this);
    }

    /** The distance along the great circle, by the haversine formula. */
    public double metresTo(GeoPoint other) {
        double across = StrictMath.sin((radians(other.longitude) - radians(longitude)) / 2);
        if (across == 0) {
            return latitudeMetresTo(other);
        }
        double from = radians(latitude);
        double to = radians(other.latitude);
        double up = StrictMath.sin((to - from) / 2);
        double a = up * up + StrictMath.cos(from) * StrictMath.cos(to) * across * across;
        return 2 * EARTH_RADIUS_METRES * StrictMath.asin(Math.sqrt(a));
    }

    /** As {@link #metresTo}, to the last digit that Redis would store. */
    double storedMetresTo(GeoPoint other) {
        double across = RoundedSine.sin((radians(other.longitude) - radians(longitude)) / 2);
        if (across == 0) {
            return latitudeMetresTo(other);
        }
        double from = radians(latitude);
        double to = radians(other.latitude);
        double up = RoundedSine.sin((to - from) / 2);
        double a = up * up + RoundedSine.cos(from) * RoundedSine.cos(to) * across * across;
        return 2 * EARTH_RADIUS_METRES * RoundedSine.asin(Math.sqrt(a));
    }

    double latitudeMetresTo(GeoPoint other) {
        return EARTH_RADIUS_METRES * Math.abs(radians(other.latitude) - radians(latitude));
    }

    static double radians(double degrees) {
        return degrees * (Math.PI / 180);
    }

    static double degrees(double radians) {
        return radians / (Math.PI / 180);
    }
}
