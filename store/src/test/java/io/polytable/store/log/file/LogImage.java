package io.polytable.store.log.file;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.RecordBatches;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The files of a small log as a killed process left them, and what is in them: three segments and one prepared, all
 * synced but the last two batches.
 */
final class LogImage {
    static final FileLogOptions OPTIONS = FileLogOptions.defaults()
            .withSegmentBytes(8 << 10)
            .withRetention(0, Duration.ZERO)
            .withBackground(false);

    /** How far apart lengths are tried where one is like the next. */
    static final int STEP = 13;

    private static final int UNSYNCED_GROUPS = 2;

    private final MemoryFiles files = new MemoryFiles();
    private final List<byte[]> records = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final long synced;

    /** Where a batch stands. */
    record Place(String file, int offset, int length, long first, long last) {}

    private LogImage(Random random, int recycledSegments) throws IOException {
        FileLog log = FileLog.open(files, OPTIONS);
        while (segments() < recycledSegments) {
            append(log, random);
        }
        log.sync();
        log.release(log.end() + 1);
        log.maintain();
        int before = segments();
        while (segments() < before + 2) {
            append(log, random);
        }
        log.sync();
        synced = log.end();
        for (int i = 0; i < UNSYNCED_GROUPS; i++) {
            append(log, random);
        }
        log.maintain();
        places.removeIf(place -> place.first() < log.first());
    }

    /** @param recycled the segments are in files that held others before */
    static LogImage of(long seed, boolean recycled) throws IOException {
        return new LogImage(new Random(seed), recycled ? 4 : 0);
    }

    private int segments() {
        return (int) places.stream().map(Place::file).distinct().count();
    }

    private void append(FileLog log, Random random) throws IOException {
        List<byte[]> batch = RecordBatches.random(random, 3, 250);
        RecordBatch built = RecordBatches.after(log, batch);
        log.append(built);
        records.addAll(batch);
        places.add(find(built));
    }

    private Place find(RecordBatch batch) throws IOException {
        for (String name : files.list()) {
            byte[] bytes = files.bytes(name);
            for (int at = Segment.HEADER_BYTES;
                    Segment.idOf(name).isPresent() && at < bytes.length - RecordBatchFormat.HEADER_BYTES;
                    at += 4) {
                if (isBatch(bytes, at, batch.first())) {
                    return new Place(name, at, batch.length(), batch.first(), batch.last());
                }
            }
        }
        throw new AssertionError("no batch starts with " + batch.first());
    }

    /** Whether the header of the batch that starts with this position is at this offset of a segment. */
    static boolean isBatch(byte[] bytes, int at, long first) throws IOException {
        Stamp stamp = Stamp.decode(Segment.MAGIC, bytes).orElseThrow();
        Segment segment = new Segment(
                stamp.number(0), stamp.number(1), stamp.version(), false, new MemoryFiles().create("file"), 0);
        return RecordBatchFormat.hasMagic(bytes, at, segment.batchMagic())
                && RecordBatchFormat.first(bytes, at) == first;
    }

    /** What the killed process left. */
    MemoryFiles files() {
        return files.copy();
    }

    /** The same after a clean close. */
    MemoryFiles closedFiles() {
        MemoryFiles copy = files.copy();
        FileLog.open(copy, OPTIONS).close();
        return copy;
    }

    /** Whether a batch that was not synced begins or ends, or its header does, within a few bytes of there. */
    boolean isNearBorder(String file, int at) {
        return places.stream()
                .filter(place -> place.file().equals(file) && place.first() > synced)
                .anyMatch(place -> Math.abs(place.offset() - at) <= RecordBatchFormat.HEADER_BYTES + STEP
                        || Math.abs(place.offset() + place.length() - at) <= 8 + STEP);
    }

    List<Place> places() {
        return places;
    }

    /** Whether the batch is the first or last of its segment, or not synced. */
    boolean atBorder(Place place) {
        int index = places.indexOf(place);
        return place.offset() == Segment.HEADER_BYTES
                || index + UNSYNCED_GROUPS + 1 >= places.size()
                || !places.get(index + 1).file().equals(place.file());
    }

    Place lastPlace() {
        return places.get(places.size() - 1);
    }

    long synced() {
        return synced;
    }

    /** The record at position 1 is the first. */
    List<byte[]> records() {
        return records;
    }
}
