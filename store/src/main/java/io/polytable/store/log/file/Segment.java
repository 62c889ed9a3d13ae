package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One file of the log: a stamp in a page of its own, then batches, then bytes that are no batch of this segment. */
final class Segment {
    /** A page, so that no append ever writes the stamp's sector again. */
    static final int HEADER_BYTES = 4096;

    static final long MAGIC = Stamp.magic("PTLOGSEG");
    private static final String SUFFIX = ".log";
    private static final int RETIRED = -1;

    private final long secret;
    private final long id;
    private final boolean recycled;
    private final SegmentIndex index = new SegmentIndex();
    private final AtomicInteger pins = new AtomicInteger();
    private volatile @Nullable LogFile file;
    private volatile long prepared;
    private volatile long written = HEADER_BYTES;
    private volatile long first;
    private volatile long last;
    private volatile long ticket;
    private volatile long sealedMillis;

    public Segment(long secret, long id, boolean recycled, LogFile file, long prepared) {
        this.secret = secret;
        this.id = id;
        this.recycled = recycled;
        this.file = file;
        this.prepared = prepared;
    }

    static String name(long id) {
        return String.format(Locale.ROOT, "%016x%s", id, SUFFIX);
    }

    /** The number in a segment's file name; absent if it is not one. */
    public static Optional<Long> idOf(String name) {
        if (!name.matches("[0-9a-f]{16}\\.log")) {
            return Optional.empty();
        }
        return Optional.of(Long.parseUnsignedLong(name.substring(0, 16), 16));
    }

    static ByteBuffer stamp(long secret, long id, boolean recycled) {
        return Stamp.encode(MAGIC, secret, id, recycled ? 1 : 0);
    }

    long id() {
        return id;
    }

    String name() {
        return name(id);
    }

    /** Whether the file holds bytes of an older segment where this one's batches do not reach. */
    boolean recycled() {
        return recycled;
    }

    /** What makes bytes that were valid at any other place of any log invalid here. */
    public long saltAt(long offset) {
        return mix(mix(mix(secret) + id) + offset);
    }

    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** The file, open for writing: from the segment's making until it is full and synced. */
    LogFile file() throws IOException {
        LogFile open = file;
        if (open == null) {
            throw new IOException("The segment's file is closed");
        }
        return open;
    }

    void closeFile() throws IOException {
        LogFile open = file;
        if (open != null) {
            file = null;
            open.close();
        }
    }

    /** So many bytes of the file are there, and can be written without asking the file system for room. */
    long prepared() {
        return prepared;
    }

    void prepared(long bytes) {
        prepared = bytes;
    }

    long room() {
        return prepared - written;
    }

    /** Where the last batch ends. */
    long written() {
        return written;
    }

    /** The position of the first record, or of the one to come. */
    long first() {
        return first;
    }

    /** The position of the last record; one below {@link #first()} when there is none. */
    long last() {
        return last;
    }

    /** The ticket of the last batch, or of the one before this segment. */
    long ticket() {
        return ticket;
    }

    void begin(long firstPosition, long ticketBefore) {
        first = firstPosition;
        last = firstPosition - 1;
        ticket = ticketBefore;
    }

    /** A batch stands at the end of those before it. */
    void add(long firstPosition, long lastPosition, long batchTicket, int length) {
        long at = written;
        index.add(firstPosition, at);
        last = lastPosition;
        ticket = batchTicket;
        written = at + length;
    }

    long sealedMillis() {
        return sealedMillis;
    }

    void sealed(long millis) {
        sealedMillis = millis;
    }

    /** Where a walk to the position may start. */
    long floor(long position) {
        return index.floor(position);
    }

    /** Keeps the file from being reused while it is read; false if that came too late. */
    boolean pin() {
        while (true) {
            int count = pins.get();
            if (count == RETIRED) {
                return false;
            }
            if (pins.compareAndSet(count, count + 1)) {
                return true;
            }
        }
    }

    void unpin() {
        pins.decrementAndGet();
    }

    /** Ends all reading; false if somebody reads just now. */
    boolean retire() {
        return pins.compareAndSet(0, RETIRED);
    }
}
