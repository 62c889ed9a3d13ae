package io.polytable.store.state;

import io.polytable.store.memory.Generation;
import io.polytable.store.memory.RangeTombstone;
import io.polytable.store.memory.Step;
import io.polytable.store.merge.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Writes a generation to the state: range deletes first, then the newest row of each key, sorted by family and key, in
 * large batches. The last batch contains the position. Applying is idempotent.
 */
public final class StateWriter {
    /**
     * Large enough to amortize the call into RocksDB. Small enough that the batch and RocksDB's copies stay in the CPU
     * cache, and that no array spans several G1 regions, which the collector would place in memory never touched
     * before.
     */
    private static final int BATCH_BYTES = 64 << 10;

    /** A range tombstone slows every later read near it; up to this many rows are deleted one by one instead. */
    private static final int POINT_DELETES_MAX = 64;

    /**
     * Scans skip what a range delete covers in files, but step over covered rows in the same write buffer one by one.
     */
    private static final int COVERED_IN_BUFFER_MAX = 100_000;

    private final State state;
    private final StateBatch batch = new StateBatch();

    public StateWriter(State state) {
        this.state = state;
    }

    /** Applies the generation. Rows of dropped tables are skipped: {@code tables} returns empty for them. */
    public void apply(Generation generation, IntFunction<Optional<StateTable>> tables) {
        generation.forEachStep(step -> apply(step, tables));
        finish(new State.Applied(generation.lastPosition(), generation.lastTicket()));
    }

    private void apply(Step step, IntFunction<Optional<StateTable>> tables) {
        for (RangeTombstone range : step.ranges()) {
            tables.apply(range.table()).ifPresent(table -> deleteRange(table, range.from(), range.to()));
            writeIfLarge();
        }
        for (int id : step.tables()) {
            tables.apply(id).ifPresent(table -> {
                step.forEach(id, row -> {
                    add(table.number(), row);
                    writeIfLarge();
                });
            });
        }
        state.write(batch);
    }

    /** Redoes a row of the log as it stands there; call {@link #finish} at the end. */
    public void redo(EncodedRow row, IntFunction<Optional<StateTable>> tables) {
        tables.apply(row.table()).ifPresent(table -> {
            if (row.op() == EncodedRow.DELETE_RANGE) {
                // The rows it covers must be in the state before they can be counted.
                state.write(batch);
                deleteRange(table, row.key(), row.value());
            } else {
                add(table.number(), row);
            }
            writeIfLarge();
        });
    }

    /** Writes the rest together with the position that the state has reached. */
    public void finish(State.Applied reached) {
        state.putPosition(batch, reached);
        state.write(batch);
    }

    /** Discards unfinished writes. */
    public void abandon() {
        batch.clear();
    }

    private void add(int family, EncodedRow row) {
        if (row.op() == EncodedRow.PUT) {
            batch.put(family, row.array(), row.keyOffset(), row.keyLength(), row.valueLength());
        } else {
            batch.delete(family, row.array(), row.keyOffset(), row.keyLength());
        }
    }

    private void writeIfLarge() {
        if (batch.sizeBytes() > BATCH_BYTES) {
            state.write(batch);
        }
    }

    private void deleteRange(StateTable table, Bytes from, Bytes to) {
        List<Bytes> few = new ArrayList<>();
        try (Source rows = state.scan(table, KeyRange.between(from, to), Direction.FORWARD)) {
            while (few.size() <= POINT_DELETES_MAX && rows.next()) {
                few.add(rows.key());
            }
        }
        if (few.size() > POINT_DELETES_MAX) {
            Bytes end = to.isEmpty() ? beyondLast(table) : to;
            if (state.bufferedRows(table, from, end) > COVERED_IN_BUFFER_MAX) {
                state.startFlush();
            }
            batch.deleteRange(table.number(), from, end);
        } else {
            few.forEach(key -> batch.delete(table.number(), key.array(), key.offset(), key.length()));
        }
    }

    /** RocksDB's range deletes need an upper bound: a key just after the table's last. */
    private Bytes beyondLast(StateTable table) {
        try (Source rows = state.scan(table, KeyRange.ALL, Direction.REVERSE)) {
            Bytes last = rows.next() ? rows.key() : Bytes.EMPTY;
            return Bytes.of(Arrays.copyOf(last.toByteArray(), last.length() + 1));
        }
    }
}
