package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.store.state.DamagedFile;
import io.polytable.store.state.State;
import io.polytable.store.state.StateWriter;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.write.EncodedRow;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery of the state from a background error of RocksDB, after which it takes no writes: if RocksDB does not recover
 * by itself, reopens it and redoes from the log what its write buffers lost. The log still has all of that, since it releases only what is flushed.
 */
final class Healing {
    private static final Logger LOG = LoggerFactory.getLogger(Healing.class);

    /** After this many attempts, one per retry interval, cursors and snapshots that are still open are given up. */
    private static final int PATIENT_ATTEMPTS = 10;

    private final CommitLog log;
    private final State state;
    private final Catalog catalog;
    private final StateWriter writer;
    private final Runnable before;
    private final EncodedRow row = new EncodedRow();
    private int attempts;

    /** @param before releases snapshots that the engine itself holds */
    Healing(CommitLog log, State state, Catalog catalog, StateWriter writer, Runnable before) {
        this.before = before;
        this.log = log;
        this.state = state;
        this.catalog = catalog;
        this.writer = writer;
    }

    /**
     * Makes the state writable and brings it to the position. RocksDB recovers from a full disk by itself; then open
     * cursors and snapshots stay valid. Otherwise the state is reopened, for which they must end. Called by the applier
     * only.
     */
    void run(StoreException reason, long applied) {
        state.requireRoom();
        if (reason.error() == StoreError.CORRUPT) {
            reportDamage();
        }
        writer.abandon();
        if (!hasRecovered(applied)) {
            before.run();
            boolean closesHandles = attempts++ >= PATIENT_ATTEMPTS;
            catalog.reopenState(closesHandles, () -> redo(applied));
            state.requireWritable();
        }
        attempts = 0;
    }

    /** A compaction met damage: the state is reopened without compactions of the damaged tables. */
    private void reportDamage() {
        for (DamagedFile file : state.findDamage()) {
            LOG.error("{}", file.sentence());
        }
    }

    /** Whether RocksDB takes writes again and still has everything that was applied: a flush shows both. */
    private boolean hasRecovered(long applied) {
        try {
            state.flush();
            return state.flushed().position() >= applied;
        } catch (StoreException e) {
            LOG.debug("The state must be reopened", e);
            return false;
        }
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
