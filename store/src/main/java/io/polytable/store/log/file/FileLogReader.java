package io.polytable.store.log.file;

import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogProgress;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.disk.LogFile;
import io.polytable.store.log.disk.LogFiles;
import io.polytable.table.Origin;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A reader of the segments' batches. It opens its own file handles, so that its failures do not affect the writer. */
final class FileLogReader implements LogReader {
    private final LogFiles files;
    private final SegmentChain chain;
    private final LogProgress progress;
    private final ReadWindow window = new ReadWindow();

    private Segment segment;
    private @Nullable LogFile file;
    private boolean closed;
    /** The offset of the next batch. */
    private long batchAt;
    /** The position of the next record. */
    private long wanted;

    private int recordsLeft;
    private int batchEnd;
    private long batchOffset;
    private long batchTicket;
    private OptionalLong batchMillis = OptionalLong.empty();
    private Origin origin = Origin.CLIENT;
    private int offset;
    private int length;

    FileLogReader(LogFiles files, SegmentChain chain, LogProgress progress, Segment segment, long from) {
        this.files = files;
        this.chain = chain;
        this.progress = progress;
        this.segment = segment;
        this.wanted = from;
        this.batchAt = segment.floor(from);
    }

    @Override
    public boolean next() {
        if (closed) {
            throw LogFault.closed();
        }
        progress.requireOpen();
        if (recordsLeft == 0 && !enterBatch()) {
            return false;
        }
        step();
        wanted++;
        return true;
    }

    private void step() {
        int at = offset + length;
        int size = at + RecordBatchFormat.RECORD_HEADER_BYTES <= batchEnd
                ? RecordBatchFormat.recordLength(window.array(), at)
                : -1;
        if (size < 0 || size > batchEnd - at - RecordBatchFormat.RECORD_HEADER_BYTES) {
            throw corrupt(batchOffset);
        }
        origin = RecordBatchFormat.origin(window.array(), at);
        offset = at + RecordBatchFormat.RECORD_HEADER_BYTES;
        length = size;
        recordsLeft--;
    }

    private boolean enterBatch() {
        if (wanted > progress.acknowledged()) {
            return false;
        }
        // Acknowledged records are written, so the batch is here or in a later segment.
        while (!enterHere()) {
            if (batchAt >= segment.written()) {
                nextSegment();
            }
        }
        return true;
    }

    /**
     * Examines the next batch of this segment; true if it contains the wanted record, which {@link #step} then reaches.
     */
    private boolean enterHere() {
        if (batchAt >= segment.written()) {
            return false;
        }
        require(segment.batchHeaderBytes());
        int index = window.index(batchAt);
        int bytes = RecordBatchFormat.length(window.array(), index);
        if (!RecordBatchFormat.hasMagic(window.array(), index, segment.batchMagic())
                || bytes < segment.batchHeaderBytes()) {
            throw corrupt(batchAt);
        }
        long first = RecordBatchFormat.first(window.array(), index);
        int count = RecordBatchFormat.count(window.array(), index);
        if (first + count <= wanted) {
            batchAt += bytes;
            return false;
        }
        require(bytes);
        enter(first, count, bytes);
        return true;
    }

    private void enter(long first, int count, int bytes) {
        byte[] array = window.array();
        int index = window.index(batchAt);
        int checksum = RecordBatchFormat.checksum(array, index, bytes, segment.saltAt(batchAt));
        if (first > wanted || checksum != RecordBatchFormat.storedChecksum(array, index)) {
            throw corrupt(batchAt);
        }
        recordsLeft = count;
        batchEnd = index + bytes;
        batchTicket = RecordBatchFormat.ticket(array, index);
        batchMillis =
                segment.isTimed() ? OptionalLong.of(RecordBatchFormat.millis(array, index)) : OptionalLong.empty();
        offset = index + segment.batchHeaderBytes();
        length = 0;
        batchOffset = batchAt;
        batchAt += bytes;
        for (long skipped = first; skipped < wanted; skipped++) {
            step();
        }
    }

    /** Reads at least that many bytes of the batch into the window. */
    private void require(int bytes) {
        if (window.covers(batchAt, bytes)) {
            return;
        }
        if (!segment.pin()) {
            throw LogFault.expired(wanted);
        }
        try {
            LogFile open = file;
            if (open == null) {
                open = files.openToRead(segment.name());
                file = open;
            }
            if (!window.fill(open, batchAt, bytes, segment.written())) {
                throw corrupt(batchAt);
            }
        } catch (IOException e) {
            throw LogFault.unreadable(files.describe(segment.name()), e);
        } finally {
            segment.unpin();
        }
    }

    private RuntimeException corrupt(long at) {
        return LogFault.corrupt("The log is damaged", files.describe(segment.name()), at);
    }

    private void nextSegment() {
        Segment next = chain.withId(segment.id() + 1);
        if (next == null) {
            throw LogFault.expired(wanted);
        }
        closeFile();
        segment = next;
        batchAt = Segment.HEADER_BYTES;
        window.clear();
    }

    @Override
    public long position() {
        return wanted - 1;
    }

    @Override
    public long ticket() {
        return batchTicket;
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public OptionalLong writtenMillis() {
        return batchMillis;
    }

    @Override
    public byte[] array() {
        return window.array();
    }

    @Override
    public int offset() {
        return offset;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void close() {
        closed = true;
        closeFile();
    }

    private void closeFile() {
        LogFile open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw LogFault.unreadable(files.describe(segment.name()), e);
            }
        }
    }
}
