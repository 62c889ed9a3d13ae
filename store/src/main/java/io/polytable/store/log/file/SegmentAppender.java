package io.polytable.store.log.file;

import io.polytable.store.log.LogProgress;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/** Writes batches one after the other, each with one system call. */
final class SegmentAppender {
    private static final int BUFFER_BYTES_MIN = 64 << 10;
    /** Larger batches are copied and written in pieces. */
    private static final int BUFFER_BYTES_MAX = 1 << 20;

    // Our own direct buffer: the JDK would otherwise copy through a thread-local one of unbounded size.
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private final LogProgress progress;
    private final SegmentChain chain;
    private final SegmentSupply supply;
    private final InstantSource clock;
    private final Runnable advanced;
    private final long tellEvery;

    /** @param advanced called each time a further part of a segment was filled */
    SegmentAppender(
            LogProgress progress, SegmentChain chain, SegmentSupply supply, FileLogOptions options, Runnable advanced) {
        this.progress = progress;
        this.chain = chain;
        this.supply = supply;
        this.clock = options.clock();
        this.advanced = advanced;
        this.tellEvery = Math.min(Zeros.CHUNK_BYTES, options.segmentBytes() / 4);
    }

    void append(RecordBatch batch) {
        progress.requireWritable();
        batch.requireFollows(progress.acknowledged());
        Segment segment = segmentFor(batch);
        long at = segment.written();
        // Never back, so that the times of a log are in the order of its positions.
        long millis = Math.max(segment.writtenMillis(), clock.millis());
        RecordBatchFormat.seal(batch, segment.batchMagic(), progress.synced(), millis, segment.saltAt(at));
        try {
            write(segment.file(), at, batch);
        } catch (IOException | RuntimeException | Error e) {
            throw progress.fail(e);
        }
        segment.add(batch.first(), batch.last(), batch.ticket(), millis, batch.length());
        progress.acknowledge(batch);
        if (at / tellEvery != segment.written() / tellEvery) {
            advanced.run();
        }
    }

    private Segment segmentFor(RecordBatch batch) {
        Segment active = chain.active();
        if (active.room() >= batch.length()) {
            return active;
        }
        supply.reserve(batch.length());
        return active.room() >= batch.length() ? active : roll(active, batch.first());
    }

    private Segment roll(Segment full, long first) {
        Segment next = supply.next();
        next.begin(first, full.ticket(), full.writtenMillis());
        full.sealed(clock.millis());
        // In this order: a thread that sees no next segment must see the new active one. Otherwise it would create its
        // successor under the name of the very file that is being written.
        chain.add(next);
        supply.taken();
        return next;
    }

    private void write(LogFile file, long at, RecordBatch batch) throws IOException {
        if (batch.length() > buffer.capacity() && buffer.capacity() < BUFFER_BYTES_MAX) {
            buffer = ByteBuffer.allocateDirect(batch.length() > BUFFER_BYTES_MIN ? BUFFER_BYTES_MAX : BUFFER_BYTES_MIN);
        }
        for (int done = 0; done < batch.length(); ) {
            int piece = Math.min(buffer.capacity(), batch.length() - done);
            buffer.clear().put(batch.array(), batch.offset() + done, piece).flip();
            file.writeAll(buffer, at + done);
            done += piece;
        }
    }
}
