package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.store.merge.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A snapshot of all fresh rows: the sealed generations and a prefix of the growing one. Taking it stores only a few
 * numbers. Rows are sorted on first use, once for all snapshots that share them.
 */
public final class MemorySnapshot implements AutoCloseable {
    private final List<Prefix> newestFirst;
    private final RangeDeletes.ByTable tombstones;
    private final Pins.Pin pin;

    /** Runs when the state holds exactly the content of this snapshot. */
    private volatile Runnable onReached = () -> {};

    private final AtomicInteger users = new AtomicInteger(1);

    /** Under the append mutex. */
    MemorySnapshot(List<Prefix> newestFirst, RangeDeletes.ByTable tombstones, Pins.Pin pin) {
        this.newestFirst = newestFirst;
        this.tombstones = tombstones;
        this.pin = pin;
        growing().opened(this);
    }

    /** The generation that was growing. */
    private Generation growing() {
        return newestFirst.get(0).generation();
    }

    /** Exclusive upper bound of the spots it shows in the generation that was growing. */
    int end() {
        return newestFirst.get(0).end();
    }

    /** Whether there are no fresh rows: the state alone is then the snapshot. */
    public boolean isEmpty() {
        return newestFirst.size() == 1 && end() == 0;
    }

    /**
     * Runs the action on the applier's thread while the state holds exactly the content of this snapshot. If the state
     * has already moved past it, the action may never run.
     */
    public void onReached(Runnable action) {
        onReached = action;
    }

    void reached() {
        onReached.run();
    }

    /** As {@link PartitionSnapshot#isOvertaken()}. */
    public boolean isOvertaken() {
        return growing().isApplyStarted();
    }

    private RangeTombstones tombstones(int table) {
        return tombstones.of(table);
    }

    /** The last generation that the state had when the snapshot was taken. */
    private long applied() {
        return newestFirst.get(newestFirst.size() - 1).generation().number() - 1;
    }

    /** Looks the key up among the fresh rows. */
    public RowMemory.Found find(int table, Bytes key) {
        KeyRange justIt = KeyRange.between(key, key.concat(Bytes.of(new byte[1])));
        for (Source source : sources(table, justIt, Direction.FORWARD)) {
            if (source.next()) {
                return source.isDelete() ? RowMemory.Found.ABSENT : RowMemory.Found.present(source.value());
            }
        }
        return tombstones(table).hidesState(key, applied()) ? RowMemory.Found.ABSENT : RowMemory.Found.nothing(0);
    }

    /** The fresh rows of the range, newest first, and below them the state's rows. */
    public List<Source> over(Source state, int table, KeyRange range, Direction direction) {
        List<Source> sources = sources(table, range, direction);
        sources.add(TombstoneFilter.over(state, tombstones(table), applied(), direction));
        return sources;
    }

    /** Newest first. Sorts rows that no scan has sorted yet, for later scans as well. */
    private List<Source> sources(int table, KeyRange range, Direction direction) {
        List<Source> sources = new ArrayList<>();
        for (Prefix prefix : newestFirst) {
            for (Run run : prefix.generation().runs(table, prefix)) {
                sources.add(new RunSource(prefix.generation(), run, prefix.end(), range, direction, tombstones(table)));
            }
        }
        return sources;
    }

    /** Adds a user, which must close the snapshot too. */
    public void retain() {
        users.incrementAndGet();
    }

    @Override
    public void close() {
        if (users.decrementAndGet() == 0) {
            growing().closed(this);
            pin.close();
        }
    }
}
