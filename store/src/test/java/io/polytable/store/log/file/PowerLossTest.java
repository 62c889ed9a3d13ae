package io.polytable.store.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories in which the power goes at any operation, also while the log is being opened after the last time: what was
 * synced is always there, what was not is there from the front or gone, and a loss of power is never taken for damage.
 */
class PowerLossTest {
    private static final FileLogOptions OPTIONS = FileLogOptions.defaults()
            .withSegmentBytes(16 << 10)
            .withSparesMax(2)
            .withRetention(0, Duration.ZERO)
            .withRetryAfter(Duration.ZERO)
            .withBackground(false);

    private static final List<MemoryFiles.Loss> LOSSES = List.of(MemoryFiles.Loss.values());

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    static LongStream manySeeds() {
        return LongStream.rangeClosed(21, 3000);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasSyncedIsThere(long seed) throws IOException {
        new History(seed).run(12);
    }

    @Tag("crash")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void whatWasSyncedIsThereEveryTime(long seed) throws IOException {
        new History(seed).run(12);
    }

    private static final class History {
        private final long seed;
        private final Random random;
        private MemoryFiles files = new MemoryFiles();
        /** All records that were ever acknowledged and not lost since; the first is at position 1. */
        private final List<byte[]> records = new ArrayList<>();

        private long synced;
        private long released = 1;

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run(int lives) throws IOException {
            for (int life = 0; life < lives; life++) {
                live();
                MemoryFiles.Loss loss = LOSSES.get(random.nextInt(LOSSES.size()));
                files = files.afterPowerLoss(loss, random);
                check(life);
            }
        }

        /** Uses the log until the power goes. */
        private void live() {
            Outage outage = new Outage(1 + random.nextInt(random.nextBoolean() ? 20 : 400));
            try {
                FileLog log = FileLog.open(new FaultyFiles(files, outage), OPTIONS);
                synced = Math.max(synced, log.synced());
                while (true) {
                    step(log);
                    synced = Math.max(synced, log.synced());
                }
            } catch (StoreException e) {
                assertThat(outage.happened()).as("seed %d: %s", seed, e).isTrue();
            }
        }

        private void step(FileLog log) {
            switch (random.nextInt(8)) {
                case 0, 1 -> log.sync();
                case 2 -> {
                    released = Math.max(released, 1 + (long) (log.synced() * random.nextDouble()));
                    log.release(released);
                    log.maintain();
                }
                default -> {
                    List<byte[]> batch = RecordBatches.random(random, 4, random.nextInt(20) == 0 ? 20_000 : 900);
                    RecordBatch built = RecordBatches.after(log, batch);
                    log.reserve(built.length());
                    log.append(built);
                    records.addAll(batch);
                }
            }
        }

        private void check(int life) {
            String place = "seed " + seed + " life " + life;
            FileLog log = FileLog.open(files.copy(), OPTIONS);
            assertThat(log.end()).as(place).isBetween(synced, (long) records.size());
            assertThat(log.first()).as(place).isLessThanOrEqualTo(released);
            records.subList((int) log.end(), records.size()).clear();
            List<byte[]> kept = records.subList((int) log.first() - 1, records.size());
            RecordBatches.requireSame(place, RecordBatches.read(log, log.first()), kept);
            synced = Math.min(synced, log.end());
        }
    }

    /** Lets so many operations happen, and none after them. */
    private static final class Outage implements FaultyFiles.Plan {
        private int left;

        Outage(int operations) {
            left = operations;
        }

        boolean happened() {
            return left < 0;
        }

        @Override
        public void before(FaultyFiles.Operation operation, String name) throws IOException {
            if (operation != FaultyFiles.Operation.READ && --left < 0) {
                left = -1;
                throw new IOException("The power is gone");
            }
        }
    }
}
