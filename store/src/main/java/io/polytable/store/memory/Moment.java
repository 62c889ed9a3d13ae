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
 * All fresh rows as they were at a moment: those of the sealed generations, and so many of the one that grows. To take it
 * is to remember a few numbers; what it shows is sorted when somebody asks, once for all who look at the same rows.
 */
public final class Moment implements AutoCloseable {
    private final List<Prefix> newestFirst;
    private final RangeDeletes.ByTable tombstones;
    private final Pins.Pin pin;

    /** What to do when the state shows exactly what this does. */
    private volatile Runnable onReached = () -> {};

    /** Who looks at it. */
    private final AtomicInteger users = new AtomicInteger(1);

    /** Under the append mutex. */
    Moment(List<Prefix> newestFirst, RangeDeletes.ByTable tombstones, Pins.Pin pin) {
        this.newestFirst = newestFirst;
        this.tombstones = tombstones;
        this.pin = pin;
        growing().opened(this);
    }

    /** The generation that was growing. */
    private Generation growing() {
        return newestFirst.get(0).generation();
    }

    /** It shows the rows at lower spots of the generation that was growing. */
    int end() {
        return newestFirst.get(0).end();
    }

    /** Whether there is nothing fresh: then the state alone shows the moment. */
    public boolean isEmpty() {
        return newestFirst.size() == 1 && end() == 0;
    }

    /**
     * Runs the action, on the applier's thread, while the state is exactly as far as this moment. Whoever sets it when the
     * moment was overtaken already may wait in vain.
     */
    public void onReached(Runnable action) {
        onReached = action;
    }

    void reached() {
        onReached.run();
    }

    /** As {@link Capture#isOvertaken()}. */
    public boolean isOvertaken() {
        return growing().isApplyStarted();
    }

    private RangeTombstones tombstones(int table) {
        return tombstones.of(table);
    }

    /** The number of the last generation that the state had at the moment. */
    private long applied() {
        return newestFirst.get(newestFirst.size() - 1).generation().number() - 1;
    }

    /** What the fresh rows say of the key. */
    public RowMemory.Found find(int table, Bytes key) {
        KeyRange justIt = KeyRange.between(key, key.concat(Bytes.of(new byte[1])));
        for (Source source : sources(table, justIt, Direction.FORWARD)) {
            if (source.next()) {
                return source.isDelete() ? RowMemory.Found.ABSENT : RowMemory.Found.present(source.value());
            }
        }
        return tombstones(table).hidesState(key, applied()) ? RowMemory.Found.ABSENT : RowMemory.Found.nothing(0);
    }

    /** The fresh rows of the range, newest first, and the state's rows beneath them. */
    public List<Source> over(Source state, int table, KeyRange range, Direction direction) {
        List<Source> sources = sources(table, range, direction);
        sources.add(HidingSource.over(state, tombstones(table), applied(), direction));
        return sources;
    }

    /** Newest first. Whoever wants them sorts what nobody has sorted yet, for all who look later. */
    private List<Source> sources(int table, KeyRange range, Direction direction) {
        List<Source> sources = new ArrayList<>();
        for (Prefix prefix : newestFirst) {
            for (Run run : prefix.generation().runs(table, prefix)) {
                sources.add(new RunSource(prefix.generation(), run, prefix.end(), range, direction, tombstones(table)));
            }
        }
        return sources;
    }

    /** One more looks at it, and closes it for itself. */
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
