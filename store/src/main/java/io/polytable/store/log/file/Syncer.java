package io.polytable.store.log.file;

import io.polytable.store.log.LogProgress;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** Brings what was appended to the disk. Who comes while one is at it waits, and the next does it for all who wait. */
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
            // Meanwhile somebody may have done it for us, or have failed.
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

    /** Whether a segment that is full was not brought to the disk yet. */
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
