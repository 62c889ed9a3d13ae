package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import io.polytable.store.log.disk.LogFiles;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates segments. A file gets its stamp under a temporary name, is forced, gets its final name, and only then the
 * control file lists it. So switching to the segment is one assignment, a batch in it becomes durable by syncing its
 * own bytes alone, and a file with a segment's name always has an intact stamp.
 */
final class SegmentMaker {
    static final String TEMPORARY = "next.tmp";
    static final String SPARE_SUFFIX = ".spare";

    private static final Logger LOG = LoggerFactory.getLogger(SegmentMaker.class);

    private final LogFiles files;
    private final ControlFile control;
    private long lastMade;

    SegmentMaker(LogFiles files, ControlFile control) {
        this.files = files;
        this.control = control;
    }

    /** Creates a segment of that many zeros, which may grow. */
    Segment make(long id, long size) throws IOException {
        try {
            try (LogFile file = files.create(TEMPORARY)) {
                Zeros.write(file, 0, size);
                stamp(file, id, false);
            }
            return place(TEMPORARY, id, false);
        } catch (IOException e) {
            discard(TEMPORARY);
            throw e;
        }
    }

    /** Recycles a released file: writing zeros again would double the disk's work. */
    Segment remake(String spare, long id) throws IOException {
        try {
            try (LogFile file = files.open(spare)) {
                stamp(file, id, true);
            }
            return place(spare, id, true);
        } catch (IOException e) {
            discard(spare);
            throw e;
        }
    }

    private void stamp(LogFile file, long id, boolean recycled) throws IOException {
        file.writeAll(Segment.stamp(control.state().secret(), id, recycled), 0);
        file.force();
    }

    private Segment place(String name, long id, boolean recycled) throws IOException {
        if (id <= lastMade) {
            throw new IllegalStateException("Segment " + id + " was made already, and may be in use");
        }
        files.rename(name, Segment.name(id));
        files.syncDirectory();
        control.write(control.state().withNewest(id));
        LogFile file = files.open(Segment.name(id));
        lastMade = id;
        return new Segment(control.state().secret(), id, Stamp.VERSION, recycled, file, file.size());
    }

    void discard(String name) {
        try {
            files.delete(name);
        } catch (IOException e) {
            LOG.warn("An unused file of the log stays behind: {}", files.describe(name), e);
        }
    }
}
