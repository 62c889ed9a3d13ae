package io.polytable.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/** Writes groups, one after the other, each with one system call. */
final class Appender {
    private static final int BUFFER_BYTES_MIN = 64 << 10;
    /** Larger groups are copied and written in several pieces. */
    private static final int BUFFER_BYTES_MAX = 1 << 20;

    // Outside the heap and our own: the JDK would otherwise copy through one of unbounded size per thread.
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private final Progress progress;
    private final SegmentChain chain;
    private final SegmentSupply supply;
    private final InstantSource clock;
    private final Runnable advanced;
    private final long tellEvery;

    /** @param advanced called each time another part of a segment was used up */
    Appender(Progress progress, SegmentChain chain, SegmentSupply supply, FileLogOptions options, Runnable advanced) {
        this.progress = progress;
        this.chain = chain;
        this.supply = supply;
        this.clock = options.clock();
        this.advanced = advanced;
        this.tellEvery = Math.min(Zeros.CHUNK_BYTES, options.segmentBytes() / 4);
    }

    void append(LogGroup group) {
        progress.requireWritable();
        group.requireFollows(progress.acknowledged());
        Segment segment = segmentFor(group);
        long at = segment.written();
        GroupFormat.seal(group, progress.synced(), segment.saltAt(at));
        try {
            write(segment.file(), at, group);
        } catch (IOException | RuntimeException | Error e) {
            throw progress.fail(e);
        }
        segment.add(group.first(), group.last(), group.ticket(), group.length());
        progress.acknowledge(group);
        if (at / tellEvery != segment.written() / tellEvery) {
            advanced.run();
        }
    }

    private Segment segmentFor(LogGroup group) {
        Segment active = chain.active();
        if (active.room() >= group.length()) {
            return active;
        }
        supply.reserve(group.length());
        return active.room() >= group.length() ? active : roll(active, group.first());
    }

    private Segment roll(Segment full, long first) {
        Segment next = supply.next();
        next.begin(first, full.ticket());
        full.sealed(clock.millis());
        // In this order: whoever sees that there is no next segment must see the new active one, or would make its
        // successor under the name of the very file that is being written.
        chain.add(next);
        supply.taken();
        return next;
    }

    private void write(LogFile file, long at, LogGroup group) throws IOException {
        if (group.length() > buffer.capacity() && buffer.capacity() < BUFFER_BYTES_MAX) {
            buffer = ByteBuffer.allocateDirect(group.length() > BUFFER_BYTES_MIN ? BUFFER_BYTES_MAX : BUFFER_BYTES_MIN);
        }
        for (int done = 0; done < group.length(); ) {
            int piece = Math.min(buffer.capacity(), group.length() - done);
            buffer.clear().put(group.array(), group.offset() + done, piece).flip();
            file.writeAll(buffer, at + done);
            done += piece;
        }
    }
}
