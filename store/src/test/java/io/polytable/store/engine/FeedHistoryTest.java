package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.spec;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Followers that come and go, are slow, and meet a log that fails now and then: each is told every change of its table once,
 * in order, also when it continues with another feed from the position of the one before.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FeedHistoryTest {
    private static final int STEPS = 2_000;
    private static final int TABLES = 3;
    private static final int FOLLOWERS = 6;
    private static final int VALUE_BYTES = 4 << 10;

    /** Of one table in a commit. */
    private static final int CHANGES = 2;

    /** So little that the tail releases commits which slow followers still need. */
    private static final int FEED_BYTES = 1 << 20;

    @TempDir
    Path directory;

    private final List<Table> tables = new ArrayList<>();
    private final int[] written = new int[TABLES];

    /** Counts what it was told of one table, whose changes are numbered. */
    private final class Follower {
        private final Engine engine;
        private final int table;
        private final boolean withOld;
        private ChangeFeed feed;
        private int told;

        Follower(Engine engine, int table, boolean withOld) {
            this.engine = engine;
            this.table = table;
            this.withOld = withOld;
            this.feed = begin();
        }

        private ChangeFeed begin() {
            told = written[table];
            while (true) {
                try (Snapshot snapshot = engine.snapshot()) {
                    return withOld
                            ? snapshot.changes(Set.of(tables.get(table)))
                            : engine.changes(Set.of(tables.get(table)), engine.position());
                } catch (StoreException failed) {
                    assertThat(failed.error()).isIn(StoreError.IO, StoreError.TOO_MANY);
                }
            }
        }

        void poll(int most) {
            try {
                for (Change change : feed.poll(most, Duration.ZERO)) {
                    assertThat(number(change.value().orElseThrow())).isEqualTo(++told);
                    if (withOld && told > CHANGES) {
                        assertThat(number(change.before().orElseThrow())).isEqualTo(told - CHANGES);
                    }
                }
            } catch (StoreException e) {
                if (e.error() == StoreError.POSITION_EXPIRED) {
                    assertThat(withOld).isTrue();
                    beginAgain();
                }
            }
        }

        void beginAgain() {
            feed.close();
            feed = begin();
        }

        /** Where a commit was told in part, the next feed tells it again, whole. */
        void goOnWithAnother() {
            if (!withOld) {
                ChangeFeed next = engine.changes(Set.of(tables.get(table)), feed.position());
                feed.close();
                feed = next;
                told -= told % CHANGES;
            }
        }

        boolean isAtEnd() {
            return told >= written[table];
        }
    }

    private static int number(Bytes value) {
        return Integer.parseInt(value.slice(0, 8).utf8());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyChangeIsToldOnce(long seed) {
        EngineFixture fixture = new EngineFixture(directory.resolve("data"));
        Engine engine = fixture.open(EngineOptions.DEFAULT
                .withMemory(64 << 20, 64 << 20)
                .withGenerations(1 << 20, Duration.ofMillis(10))
                .withFeedMemory(FEED_BYTES));
        for (int i = 0; i < TABLES; i++) {
            tables.add(engine.create(spec("t" + i)));
        }
        Random random = new Random(seed);
        Random faults = new Random(seed);
        fixture.log().failReads = () -> {
            synchronized (faults) {
                return faults.nextInt(50) == 0;
            }
        };
        List<Follower> followers = new ArrayList<>();
        for (int i = 0; i < FOLLOWERS; i++) {
            followers.add(new Follower(engine, i % TABLES, i >= TABLES));
        }
        for (int step = 0; step < STEPS; step++) {
            Follower one = followers.get(random.nextInt(FOLLOWERS));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> write(engine, random.nextInt(TABLES));
                case 3 -> engine.flush();
                case 4, 5 -> one.poll(1 + random.nextInt(40));
                case 6 -> one.goOnWithAnother();
                default -> {
                    if (step % 5 == 0) {
                        one.beginAgain();
                    }
                }
            }
        }
        engine.flush();
        // In turns: those who are behind share few readers of the log.
        while (!followers.stream().allMatch(Follower::isAtEnd)) {
            followers.forEach(follower -> follower.poll(100));
        }
        followers.forEach(follower -> follower.feed.close());
        engine.close();
    }

    private void write(Engine engine, int table) {
        Batch batch = new Batch();
        for (int i = 0; i < CHANGES; i++) {
            byte[] value = Arrays.copyOf(String.format("%08d", ++written[table]).getBytes(US_ASCII), VALUE_BYTES);
            batch.put(tables.get(table), key("k" + i), Bytes.of(value));
        }
        engine.commit(batch);
    }
}
