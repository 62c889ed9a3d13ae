package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.RedisPeer;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stored distances are Redis' to the last digit, but for the few that the C library does not round to the nearest. */
class GeoDistancePeerTest {
    private static final int POINTS = 2000;

    @TempDir
    Path directory;

    private static List<Bytes> words(String... words) {
        return Stream.of(words).map(Bytes::utf8).toList();
    }

    private static double number(Object reply) {
        return reply instanceof Bytes text ? Double.parseDouble(text.utf8()) : (Double) reply;
    }

    @Test
    void storedDistancesAreNearlyAllEqual() throws IOException {
        Program.REDIS_SERVER.require();
        Random random = new Random(300);
        try (RedisPeer peer = RedisPeer.start(directory)) {
            RedisInProcess ours = new RedisInProcess(InstantSource.system());
            for (int i = 0; i < POINTS; i++) {
                String longitude = Double.toString(random.nextDouble() * 360 - 180);
                String latitude = Double.toString(random.nextDouble() * 170 - 85);
                List<Bytes> add = words("geoadd", "places", longitude, latitude, "p" + i);
                assertThat(ours.run(add)).isEqualTo(peer.run(add));
            }
            List<Bytes> store = words(
                    "geosearchstore",
                    "distances",
                    "places",
                    "fromlonlat",
                    "13.4",
                    "52.5",
                    "byradius",
                    "30000",
                    "km",
                    "storedist");
            assertThat(ours.run(store)).isEqualTo(peer.run(store)).isEqualTo((long) POINTS);
            int different = 0;
            for (int i = 0; i < POINTS; i++) {
                List<Bytes> score = words("zscore", "distances", "p" + i);
                double theirs = number(peer.run(score));
                double mine = number(ours.run(score));
                different += mine == theirs ? 0 : 1;
            }
            assertThat(different).isLessThan(POINTS / 100);
        }
    }
}
