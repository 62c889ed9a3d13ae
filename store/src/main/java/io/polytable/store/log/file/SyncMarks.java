package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log's synced position, recorded in pages 2 and 3 of the {@link ControlFile} after each sync.
 *
 * <p>Every batch records how far the log was synced when it was written, which never includes the batch itself. Without
 * another record, damage to the last synced batch would look like a torn write and be truncated. The marks are written
 * alternately and not forced, since that would double the cost of a sync. So a mark may lag, but is never ahead of the
 * truth.
 */
final class SyncMarks {
    private static final Logger LOG = LoggerFactory.getLogger(SyncMarks.class);
    private static final int FIRST_PAGE = 2;
    private static final long MAGIC = Stamp.magic("PTLOGSYN");

    /**
     * One mark.
     *
     * @param clean nothing was written after the synced position
     */
    record Mark(long sequence, long synced, boolean clean) {}

    private final LogFile file;
    private final long secret;
    private Mark newest;
    private boolean writable = true;

    private SyncMarks(LogFile file, long secret, Mark newest) {
        this.file = file;
        this.secret = secret;
        this.newest = newest;
    }

    static SyncMarks read(LogFile file, long secret) throws IOException {
        Mark newest = new Mark(0, 0, false);
        for (int page = FIRST_PAGE; page < FIRST_PAGE + 2; page++) {
            Optional<Stamp> stamp = ControlFile.stamp(file, page, MAGIC);
            if (stamp.isPresent()
                    && stamp.get().number(0) == secret
                    && stamp.get().number(1) > newest.sequence()) {
                newest = new Mark(
                        stamp.get().number(1),
                        stamp.get().number(2),
                        stamp.get().number(3) == 1);
            }
        }
        return new SyncMarks(file, secret, newest);
    }

    synchronized Mark newest() {
        return newest;
    }

    /** Records that everything up to the position is synced. It only serves to detect damage, so it may fail. */
    synchronized void note(long synced) {
        if (!writable) {
            return;
        }
        try {
            write(synced, false);
        } catch (IOException e) {
            writable = false;
            LOG.warn(
                    "The log's synced position cannot be noted: damage to its last records may be taken for a torn tail",
                    e);
        }
    }

    /** Marks that unsynced batches may follow. Writes both pages: a torn write must not revive the older one. */
    synchronized void begin(long synced) throws IOException {
        write(synced, false);
        write(synced, false);
        file.force();
    }

    synchronized void endCleanly(long synced) throws IOException {
        write(synced, true);
        file.force();
    }

    private void write(long synced, boolean clean) throws IOException {
        newest = new Mark(newest.sequence() + 1, synced, clean);
        ByteBuffer stamp = Stamp.encode(MAGIC, secret, newest.sequence(), synced, clean ? 1 : 0);
        file.writeAll(stamp, ControlFile.PAGE * (FIRST_PAGE + (newest.sequence() & 1)));
    }
}
