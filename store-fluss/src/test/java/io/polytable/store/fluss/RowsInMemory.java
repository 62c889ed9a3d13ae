package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.LogRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A log's table in memory, whose reads may lag behind its writes and whose writer may be killed at any of them. */
final class RowsInMemory implements LogRows {
    private final Map<LogKey, Landed> rows = new HashMap<>();
    private final Map<Long, List<Long>> claimants = new HashMap<>();
    private long offset;
    private long shown = Long.MAX_VALUE;
    private long writesLeft = Long.MAX_VALUE;
    private Runnable beforeRead = () -> {};
    private Runnable afterWrite = () -> {};
    private int reads;

    private record Landed(long offset, LogRow row) {}

    /** What the process would not live to see. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Reads show only what landed below the offset. */
    void show(long below) {
        shown = below;
    }

    long offset() {
        return offset;
    }

    /** Happens once, before the next read. */
    void beforeRead(Runnable action) {
        beforeRead = action;
    }

    /** Happens after every write has landed and before it is acknowledged. */
    void afterWrite(Runnable action) {
        afterWrite = action;
    }

    int reads() {
        return reads;
    }

    Set<LogKey> keys() {
        return rows.keySet();
    }

    /** The process ends after so many more writes and removals. */
    void killAfter(long writes) {
        writesLeft = writes;
    }

    void revive() {
        writesLeft = Long.MAX_VALUE;
    }

    /** Every former owner is dead, and time passes with each look at the clock. */
    static Environment environment() {
        Environment system = Environment.system(Optional.empty());
        return new Environment() {
            private long nanos;
            private long numbers = 100;

            @Override
            public long nanoTime() {
                return nanos += 1_000_000;
            }

            @Override
            public void pause(long millisMax) {
                nanos += millisMax * 1_000_000;
            }

            @Override
            public long newNumber() {
                return system.newNumber() / 1000 * 1000 + numbers++;
            }

            @Override
            public boolean isDead(long owner) {
                return true;
            }
        };
    }

    private void live() {
        if (writesLeft-- == 0) {
            writesLeft = 0;
            throw new Killed();
        }
    }

    @Override
    public String name() {
        return "rows";
    }

    @Override
    public long latestOffset() {
        return offset;
    }

    @Override
    public Optional<LogRow> read(LogKey key) {
        reads++;
        Runnable action = beforeRead;
        beforeRead = () -> {};
        action.run();
        return Optional.ofNullable(rows.get(key))
                .filter(landed -> landed.offset() < shown)
                .map(Landed::row);
    }

    @Override
    public List<Optional<LogRow>> readAll(List<LogKey> keys) {
        return keys.stream().map(this::read).toList();
    }

    @Override
    public long write(List<LogRow> written) {
        for (LogRow row : written) {
            live();
            rows.put(row.key(), new Landed(offset++, row));
        }
        afterWrite.run();
        return offset;
    }

    @Override
    public long remove(List<LogKey> keys) {
        for (LogKey key : keys) {
            live();
            rows.remove(key);
            offset++;
        }
        return offset;
    }

    @Override
    public void announce(long epoch, long owner) {
        claimants.computeIfAbsent(epoch, each -> new ArrayList<>()).add(owner);
    }

    @Override
    public List<Long> candidates(long epoch) {
        return claimants.getOrDefault(epoch, List.of());
    }
}
