package io.polytable.redis.model.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class GeoPointTest {
    private static final GeoPoint PALERMO = new GeoPoint(13.361389, 38.115556);
    private static final GeoPoint CATANIA = new GeoPoint(15.087269, 37.502669);

    @Test
    void aStoredPositionIsNearTheOneGiven() {
        GeoPoint stored = GeoPoint.ofScore(PALERMO.score());
        assertThat(stored.metresTo(PALERMO)).isLessThan(1);
        assertThat(stored.hashText()).isEqualTo("sqc8b49rny0");
    }

    @Test
    void distancesAreAlongTheGreatCircle() {
        assertThat(PALERMO.metresTo(CATANIA)).isCloseTo(166_274, within(1.0));
    }

    @Test
    void aCoverMissesNoPointOfItsShape() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            GeoPoint centre = new GeoPoint(random.nextDouble() * 360 - 180, random.nextDouble() * 120 - 60);
            double metres = Math.pow(10, 1 + random.nextDouble() * 5);
            GeoPoint near = new GeoPoint(
                    centre.longitude() + random.nextGaussian() * metres / 200_000,
                    centre.latitude() + random.nextGaussian() * metres / 200_000);
            GeoShape circle = new GeoShape.Circle(centre, metres);
            if (near.isOnTheMap() && circle.contains(GeoPoint.ofScore(near.score()))) {
                double score = near.score();
                assertThat(GeoCover.of(circle))
                        .as("%s around %s", near, circle)
                        .anyMatch(cell -> cell.score() <= score && score < cell.scoreBehind());
            }
        }
    }
}
