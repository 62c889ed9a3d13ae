package io.polytable.store.log.file;

import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A segment file of the log: a stamp in its own page, then batches, then bytes that are no batch of this segment. */
final class Segment {
    /** A full page, so that no append ever rewrites the stamp's sector. */
    static final int HEADER_BYTES = 4096;

    static final long MAGIC = Stamp.magic("PTLOGSEG");
    private static final String SUFFIX = ".log";
    private static final int RETIRED = -1;

    /** From this version on each segment has a magic number of its own for its batches. */
    private static final int OWN_MAGIC_VERSION = 2;

    /** From this version on batches have a time. */
    private static final int TIMED_VERSION = 3;

    private final long secret;
    private final long id;
    private final int version;
    private final int batchMagic;
    private final boolean recycled;
    private final SegmentIndex index = new SegmentIndex();
    private final AtomicInteger pins = new AtomicInteger();
    private volatile @Nullable LogFile file;
    private volatile long prepared;
    private volatile long written = HEADER_BYTES;
    private volatile long first;
    private volatile long last;
    private volatile long ticket;
    private volatile long writtenMillis;
    private volatile long sealedMillis;

    /** @param version the format version that the file was created with */
    public Segment(long secret, long id, int version, boolean recycled, LogFile file, long prepared) {
        this.secret = secret;
        this.id = id;
        this.version = version;
        this.batchMagic = version < OWN_MAGIC_VERSION ? RecordBatchFormat.UNTIMED_MAGIC : magic(saltAt(0));
        this.recycled = recycled;
        this.file = file;
        this.prepared = prepared;
    }

    static String name(long id) {
        return String.format(Locale.ROOT, "%016x%s", id, SUFFIX);
    }

    /** The segment number in a file name; empty if it is not a segment. */
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

    /** Whether the file was recycled: beyond this segment's batches it holds bytes of an older one. */
    boolean recycled() {
        return recycled;
    }

    /** The checksum salt of an offset: it makes bytes from any other place of any log invalid here. */
    public long saltAt(long offset) {
        return mix(mix(mix(secret) + id) + offset);
    }

    /**
     * The magic number of the segment's batches. It is derived from the secret, so that a value cannot be made to look
     * like a batch, or like thousands of them, which recovery would need to check one by one.
     */
    int batchMagic() {
        return batchMagic;
    }

    /** Whether batches can be added: those of an older version have another header, so the segment stays as it is. */
    boolean isOfThisVersion() {
        return version == Stamp.VERSION;
    }

    boolean isTimed() {
        return version >= TIMED_VERSION;
    }

    int batchHeaderBytes() {
        return isTimed() ? RecordBatchFormat.HEADER_BYTES : RecordBatchFormat.UNTIMED_HEADER_BYTES;
    }

    /** When the batch was written; 0 if the segment's batches have no times. */
    long batchMillis(byte[] array, int at) {
        return isTimed() ? RecordBatchFormat.millis(array, at) : 0;
    }

    /** Never 0: zeros follow the last batch. */
    private static int magic(long salt) {
        return (int) salt | 1;
    }

    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** The file, open for writing from creation until the segment is full and synced. */
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

    /** The allocated length of the file: bytes that can be written without allocating disk space. */
    long prepared() {
        return prepared;
    }

    void prepared(long bytes) {
        prepared = bytes;
    }

    long room() {
        return prepared - written;
    }

    /** The offset after the last batch. */
    long written() {
        return written;
    }

    /** The position of the first record, or of the next one if there is none. */
    long first() {
        return first;
    }

    /** The position of the last record; one below {@link #first()} if there is none. */
    long last() {
        return last;
    }

    /** The ticket of the last batch, or of the one before this segment. */
    long ticket() {
        return ticket;
    }

    /** When the last batch was written, or the one before this segment; 0 if unknown. */
    long writtenMillis() {
        return writtenMillis;
    }

    void begin(long firstPosition, long ticketBefore, long millisBefore) {
        first = firstPosition;
        last = firstPosition - 1;
        ticket = ticketBefore;
        writtenMillis = millisBefore;
    }

    /** Adds a batch that was written at the end. */
    void add(long firstPosition, long lastPosition, long batchTicket, long millis, int length) {
        long at = written;
        index.add(firstPosition, at);
        last = lastPosition;
        ticket = batchTicket;
        writtenMillis = Math.max(writtenMillis, millis);
        written = at + length;
    }

    long sealedMillis() {
        return sealedMillis;
    }

    void sealed(long millis) {
        sealedMillis = millis;
    }

    /** An offset from which a scan forward reaches the position. */
    long floor(long position) {
        return index.floor(position);
    }

    /** Keeps the file from being recycled while it is read; false if it was already released. */
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

    /** Ends all reading; false if a read is in progress. */
    boolean retire() {
        return pins.compareAndSet(0, RETIRED);
    }
}
