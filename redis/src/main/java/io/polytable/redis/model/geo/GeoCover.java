package io.polytable.redis.model.geo;

import java.util.ArrayList;
import java.util.List;

/**
 * The cells to search for a shape: the one around its centre and those of its eight neighbours that it can reach. The
 * order is Redis', since an unsorted search answers in it.
 */
final class GeoCover {
    private static final double MERCATOR_METRES = 20037726.37;

    /** Steps to the east and to the north of the centre's cell. */
    private static final int[][] ORDER = {{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

    private GeoCover() {}

    static List<GeoHash> of(GeoShape shape) {
        GeoBox bounds = shape.bounds();
        int steps = steps(shape.reachMetres(), shape.centre().latitude());
        GeoHash middle = GeoHash.of(shape.centre(), steps);
        if (steps > 1 && reachesBeyond(middle, bounds)) {
            steps--;
            middle = GeoHash.of(shape.centre(), steps);
        }
        GeoBox cell = middle.box();
        List<GeoHash> cells = new ArrayList<>(ORDER.length);
        for (int[] side : ORDER) {
            if (steps < 2 || isReached(cell, bounds, side[0], side[1])) {
                GeoHash next = middle.neighbour(side[0], side[1]);
                // In a coarse grid the neighbours on both sides may be the same.
                if (cells.isEmpty() || !cells.get(cells.size() - 1).equals(next)) {
                    cells.add(next);
                }
            }
        }
        return cells;
    }

    /** The finest grid in which three cells in a row cover the reach. */
    private static int steps(double reachMetres, double latitude) {
        if (reachMetres == 0) {
            return GeoHash.STEPS_MAX;
        }
        int steps = 1;
        for (double reach = reachMetres; reach < MERCATOR_METRES; reach *= 2) {
            steps++;
        }
        steps -= 2;
        // Cells are narrower near the poles.
        if (Math.abs(latitude) > 66) {
            steps--;
            if (Math.abs(latitude) > 80) {
                steps--;
            }
        }
        return Math.max(1, Math.min(GeoHash.STEPS_MAX, steps));
    }

    private static boolean reachesBeyond(GeoHash middle, GeoBox bounds) {
        return middle.neighbour(0, 1).box().north() < bounds.north()
                || middle.neighbour(0, -1).box().south() > bounds.south()
                || middle.neighbour(1, 0).box().east() < bounds.east()
                || middle.neighbour(-1, 0).box().west() > bounds.west();
    }

    private static boolean isReached(GeoBox cell, GeoBox bounds, int east, int north) {
        return !(north < 0 && cell.south() < bounds.south())
                && !(north > 0 && cell.north() > bounds.north())
                && !(east < 0 && cell.west() < bounds.west())
                && !(east > 0 && cell.east() > bounds.east());
    }
}
