package io.polytable.redis.model.geo;

/** The area that a search covers around its centre; lengths are in metres. */
public sealed interface GeoShape {
    GeoPoint centre();

    /** The distance of its farthest point from the centre. */
    double reachMetres();

    double halfWidthMetres();

    double halfHeightMetres();

    boolean contains(GeoPoint point);

    /** All points within a distance. */
    record Circle(GeoPoint centre, double radiusMetres) implements GeoShape {
        @Override
        public double reachMetres() {
            return radiusMetres;
        }

        @Override
        public double halfWidthMetres() {
            return radiusMetres;
        }

        @Override
        public double halfHeightMetres() {
            return radiusMetres;
        }

        @Override
        public boolean contains(GeoPoint point) {
            return centre.metresTo(point) <= radiusMetres;
        }
    }

    /** A box parallel to the axes. */
    record Box(GeoPoint centre, double widthMetres, double heightMetres) implements GeoShape {
        @Override
        public double reachMetres() {
            return Math.sqrt(halfWidthMetres() * halfWidthMetres() + halfHeightMetres() * halfHeightMetres());
        }

        @Override
        public double halfWidthMetres() {
            return widthMetres / 2;
        }

        @Override
        public double halfHeightMetres() {
            return heightMetres / 2;
        }

        @Override
        public boolean contains(GeoPoint point) {
            // A degree of longitude is shorter near the poles, so width is measured at the point's own latitude.
            GeoPoint beside = new GeoPoint(centre.longitude(), point.latitude());
            return point.latitudeMetresTo(centre) <= halfHeightMetres() && point.metresTo(beside) <= halfWidthMetres();
        }
    }

    /** Its bounding box in degrees. */
    default GeoBox bounds() {
        double height = GeoPoint.degrees(halfHeightMetres() / GeoPoint.EARTH_RADIUS_METRES);
        double latitude = centre().latitude();
        double nearestToPole = latitude < 0 ? latitude - height : latitude + height;
        double width = GeoPoint.degrees(
                halfWidthMetres() / GeoPoint.EARTH_RADIUS_METRES / StrictMath.cos(GeoPoint.radians(nearestToPole)));
        double longitude = centre().longitude();
        return new GeoBox(longitude - width, latitude - height, longitude + width, latitude + height);
    }
}
