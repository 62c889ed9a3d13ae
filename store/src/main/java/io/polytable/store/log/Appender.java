package io.polytable.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/** Writes groups, one after the other, each with one system call. */
final class Appender {
    /** Larger groups are copied and written in several pieces. */
    private static final int BUFFER_BYTES = 1 << 20;

    // Outside the heap and our own: the JDK would otherwise copy through one of unbounded size per thread.
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Progress progress;
    private final SegmentChain chain;
    private final SegmentSupply supply;
    private final InstantSource clock;
    private final Runnable rolled;

    Appender(Progress progress, SegmentChain chain, SegmentSupply supply, InstantSource clock, Runnable rolled) {
        this.progress = progress;
        this.chain = chain;
        this.supply = supply;
        this.clock = clock;
        this.rolled = rolled;
    }

    void append(LogGroup group) {
        progress.requireWritable();
        if (group.first() != progress.acknowledged() + 1 || group.count() < 1) {
            throw new IllegalStateException("A group must follow on " + progress.acknowledged() + ", not be " + group);
        }
        Segment segment = segmentFor(group);
        GroupFormat.seal(group, progress.synced(), segment.saltAt(segment.written()));
        try {
            write(segment, group);
        } catch (IOException | RuntimeException e) {
            throw progress.fail(e);
        }
        segment.add(group.first(), group.last(), group.ticket(), group.length());
        progress.acknowledge(group);
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
        Segment next = supply.take();
        next.begin(first, full.ticket());
        full.sealed(clock.millis());
        chain.add(next);
        rolled.run();
        return next;
    }

    private void write(Segment segment, LogGroup group) throws IOException {
        LogFile file = segment.file();
        long at = segment.written();
        for (int done = 0; done < group.length(); ) {
            int piece = Math.min(BUFFER_BYTES, group.length() - done);
            buffer.clear().put(group.array(), group.offset() + done, piece).flip();
            file.writeAll(buffer, at + done);
            done += piece;
        }
    }
}
