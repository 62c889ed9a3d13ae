package io.polytable.store.log.file;

import io.polytable.store.log.LogProgress;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** Syncs appended batches. Callers that arrive during a sync wait, and the next sync covers all of them. */
final class Syncer {
    private final LogProgress progress;
    private final SegmentChain chain;
    private final SyncMarks marks;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile long dirtyFrom;

    Syncer(LogProgress progress, SegmentChain chain, SyncMarks marks) {
        this.progress = progress;
        this.chain = chain;
        this.marks = marks;
        this.dirtyFrom = chain.active().id();
    }

    void sync() {
        progress.requireWritable();
        long wanted = progress.acknowledged();
        if (progress.synced() < wanted) {
            takeTurn(wanted);
        }
    }

    private void takeTurn(long wanted) {
        turn.lock();
        try {
            // Another caller may have synced for us meanwhile, or failed.
            if (progress.synced() < wanted) {
                progress.requireHealthy();
                syncAll();
            }
        } finally {
            turn.unlock();
        }
    }

    /** The last sync of a log that takes no more batches. */
    void finish() throws IOException {
        takeTurn(progress.acknowledged());
        marks.endCleanly(progress.synced());
    }

    /** Whether a full segment is not yet synced. */
    boolean behind() {
        return dirtyFrom < chain.active().id();
    }

    private void syncAll() {
        long reached = progress.acknowledged();
        try {
            Segment[] dirty = chain.from(dirtyFrom);
            for (Segment segment : dirty) {
                segment.file().force();
            }
            for (int i = 0; i < dirty.length - 1; i++) {
                dirty[i].closeFile();
            }
            dirtyFrom = dirty[dirty.length - 1].id();
        } catch (IOException | RuntimeException | Error e) {
            throw progress.fail(e);
        }
        progress.sync(reached);
        marks.note(reached);
    }
}
