package io.polytable.store.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Walks the groups of the segments, with a file of its own, so that a reader's mishaps are not the writer's. */
final class FileLogReader implements LogReader {
    private final LogFiles files;
    private final SegmentChain chain;
    private final Progress progress;
    private final ReadWindow window = new ReadWindow();

    private Segment segment;
    private @Nullable LogFile file;
    private boolean closed;
    /** Where the next group starts. */
    private long groupAt;
    /** The position of the record to come. */
    private long wanted;

    private int recordsLeft;
    private int groupEnd;
    private long groupOffset;
    private long groupTicket;
    private int offset;
    private int length;

    FileLogReader(LogFiles files, SegmentChain chain, Progress progress, Segment segment, long from) {
        this.files = files;
        this.chain = chain;
        this.progress = progress;
        this.segment = segment;
        this.wanted = from;
        this.groupAt = segment.floor(from);
    }

    @Override
    public boolean next() {
        if (closed) {
            throw LogFault.closed();
        }
        progress.requireOpen();
        if (recordsLeft == 0 && !enterGroup()) {
            return false;
        }
        step();
        wanted++;
        return true;
    }

    private void step() {
        int at = offset + length;
        int size = at + GroupFormat.RECORD_HEADER_BYTES <= groupEnd ? GroupFormat.recordLength(window.array(), at) : -1;
        if (size < 0 || size > groupEnd - at - GroupFormat.RECORD_HEADER_BYTES) {
            throw corrupt(groupOffset);
        }
        offset = at + GroupFormat.RECORD_HEADER_BYTES;
        length = size;
        recordsLeft--;
    }

    private boolean enterGroup() {
        if (wanted > progress.acknowledged()) {
            return false;
        }
        // What is acknowledged is written: the group is found, here or in a later segment.
        while (!enterHere()) {
            if (groupAt >= segment.written()) {
                nextSegment();
            }
        }
        return true;
    }

    /** Looks at the next group of this segment; true if it holds the wanted record, which is then the next one. */
    private boolean enterHere() {
        if (groupAt >= segment.written()) {
            return false;
        }
        require(GroupFormat.HEADER_BYTES);
        int index = window.index(groupAt);
        int bytes = GroupFormat.length(window.array(), index);
        if (!GroupFormat.hasMagic(window.array(), index) || bytes < GroupFormat.HEADER_BYTES) {
            throw corrupt(groupAt);
        }
        long first = GroupFormat.first(window.array(), index);
        int count = GroupFormat.count(window.array(), index);
        if (first + count <= wanted) {
            groupAt += bytes;
            return false;
        }
        require(bytes);
        enter(first, count, bytes);
        return true;
    }

    private void enter(long first, int count, int bytes) {
        byte[] array = window.array();
        int index = window.index(groupAt);
        int checksum = GroupFormat.checksum(array, index, bytes, segment.saltAt(groupAt));
        if (first > wanted || checksum != GroupFormat.storedChecksum(array, index)) {
            throw corrupt(groupAt);
        }
        recordsLeft = count;
        groupEnd = index + bytes;
        groupTicket = GroupFormat.ticket(array, index);
        offset = index + GroupFormat.HEADER_BYTES;
        length = 0;
        groupOffset = groupAt;
        groupAt += bytes;
        for (long skipped = first; skipped < wanted; skipped++) {
            step();
        }
    }

    /** Has so many bytes from the group's start in the window. */
    private void require(int bytes) {
        if (window.covers(groupAt, bytes)) {
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
            if (!window.fill(open, groupAt, bytes, segment.written())) {
                throw corrupt(groupAt);
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
        groupAt = Segment.HEADER_BYTES;
        window.clear();
    }

    @Override
    public long position() {
        return wanted - 1;
    }

    @Override
    public long ticket() {
        return groupTicket;
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
