package io.polytable.redis.model.geo;

/** A rectangle of longitudes and latitudes, in degrees. */
record GeoBox(double west, double south, double east, double north) {
    GeoPoint middle() {
        return new GeoPoint(
                clamp((west + east) / 2, GeoHash.LONGITUDE_MAX), clamp((south + north) / 2, GeoHash.LATITUDE_MAX));
    }

    private static double clamp(double degrees, double most) {
        return Math.max(-most, Math.min(most, degrees));
    }
}
