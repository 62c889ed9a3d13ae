package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.store.state.State;
import io.polytable.store.state.StateWriter;
import io.polytable.table.EncodedRow;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/**
 * Recovery of the state from a background error of RocksDB, after which it takes no writes: reopens it and redoes from
 * the log what its write buffers lost. The log still has all of that, since it releases only what is flushed.
 */
final class Healing {
    /** With less free disk space RocksDB might not open again, and then not even reads would work. */
    private static final long ROOM_BYTES_MIN = 16L << 20;

    private final CommitLog log;
    private final State state;
    private final Catalog catalog;
    private final StateWriter writer;
    private final Runnable before;
    private final EncodedRow row = new EncodedRow();

    /** @param before releases snapshots that the engine itself holds */
    Healing(CommitLog log, State state, Catalog catalog, StateWriter writer, Runnable before) {
        this.before = before;
        this.log = log;
        this.state = state;
        this.catalog = catalog;
        this.writer = writer;
    }

    /** Reopens the state and brings it back to the position. Called by the applier only. */
    void run(StoreException reason, long applied) {
        if (reason.error() == StoreError.NO_ROOM && state.roomBytes() < ROOM_BYTES_MIN) {
            throw reason;
        }
        writer.abandon();
        before.run();
        catalog.reopenState(() -> redo(applied));
    }

    private void redo(long applied) {
        State.Applied reached = state.applied();
        if (reached.position() >= applied) {
            return;
        }
        try (LogReader records = log.read(reached.position() + 1)) {
            while (reached.position() < applied && records.next()) {
                redo(records);
                reached = new State.Applied(records.position(), records.ticket());
            }
        }
        if (reached.position() < applied) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The log no longer holds what the state lacks",
                    Map.of("state", reached.position(), "applied", applied));
        }
        writer.finish(reached);
    }

    private void redo(LogReader record) {
        int end = record.offset() + record.length();
        for (int at = record.offset(); at < end; at = row.end()) {
            writer.redo(row.moveTo(record.array(), at), catalog::stateOf);
        }
    }
}
