package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.projection.SavedProgress.TableOffsets;
import io.polytable.table.column.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.record.ChangeType;

/**
 * Finds rows that a fenced owner may have written: it reads back what lands in the tables. The package page argues why
 * this finds all of them. Not thread-safe.
 */
final class TableWatch implements AutoCloseable {
    /** Bounds the memory for keys that are not looked at yet. */
    private static final int SUSPECTS_MAX = 5_000;

    private final long floor;
    private final Map<ShownTarget, TableTail> tails = new HashMap<>();

    /**
     * A row that may be wrong.
     *
     * @param isRemoved whether it was removed, by us or by another; otherwise an older version was written
     */
    record Suspect(ShownTarget target, List<Value> key, boolean isRemoved) {}

    /** @param floor the position of our first window: whoever wrote a row with a lower one is no longer the owner */
    private TableWatch(long floor) {
        this.floor = floor;
    }

    static TableWatch open(
            FlussCluster cluster, List<ShownTarget> targets, Map<String, TableOffsets> from, long floor) {
        TableWatch watch = new TableWatch(floor);
        try {
            for (ShownTarget target : targets) {
                TableTail tail = new TableTail(
                        cluster,
                        target.path(),
                        target.table(),
                        target.keyAndPosition(),
                        Optional.ofNullable(from.get(target.identity())));
                watch.tails.put(target, tail);
            }
            return watch;
        } catch (RuntimeException e) {
            watch.close();
            throw e;
        }
    }

    /** Whether all tables are those that were watched before, and hold what they held. */
    boolean isGapless() {
        return tails.values().stream().allMatch(TableTail::isGapless);
    }

    /** The suspects among the changes that have arrived, or some of them; empty if there are none. */
    List<Suspect> poll() {
        List<Suspect> suspects = new ArrayList<>();
        tails.forEach((target, tail) -> {
            List<ScanRecord> records = tail.poll(Duration.ZERO);
            while (!records.isEmpty()) {
                records.forEach(record -> look(target, record, suspects));
                records = suspects.size() < SUSPECTS_MAX ? tail.poll(TableTail.MORE) : List.of();
            }
        });
        return suspects;
    }

    private void look(ShownTarget target, ScanRecord record, List<Suspect> suspects) {
        if (record.getChangeType() == ChangeType.UPDATE_BEFORE) {
            return;
        }
        boolean isRemoved = record.getChangeType() == ChangeType.DELETE;
        if (isRemoved || target.position(record.getRow()) < floor) {
            suspects.add(new Suspect(target, target.key(record.getRow()), isRemoved));
        }
    }

    /** What was read so far. */
    Map<String, TableOffsets> offsets() {
        Map<String, TableOffsets> offsets = new HashMap<>();
        tails.forEach((target, tail) -> offsets.put(target.identity(), tail.offsets()));
        return offsets;
    }

    @Override
    public void close() {
        tails.values().forEach(TableTail::close);
    }
}
