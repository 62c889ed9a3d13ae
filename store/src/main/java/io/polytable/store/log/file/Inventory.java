package io.polytable.store.log.file;

import io.polytable.store.log.LogFault;
import io.polytable.store.log.disk.LogFile;
import io.polytable.store.log.disk.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the files that a log must have, and deletes leftovers of interrupted changes. */
final class Inventory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);

    private final LogFiles files;
    private final List<Segment> segments = new ArrayList<>();
    private @Nullable ControlFile control;

    Inventory(LogFiles files) {
        this.files = files;
    }

    /** Transfers ownership of the open files to the caller. */
    void handOver() {
        segments.clear();
        control = null;
    }

    @Override
    public void close() {
        try {
            for (Segment segment : segments) {
                segment.closeFile();
            }
            if (control != null) {
                control.close();
            }
        } catch (IOException e) {
            LOG.warn("A file of the log could not be closed", e);
        }
    }

    /** Opens the control file, or creates it for a new log: it is the first file created. */
    ControlFile openControl(FileLogOptions.Start start) throws IOException {
        List<String> names = files.list();
        ControlFile opened;
        if (names.contains(ControlFile.NAME)) {
            opened = ControlFile.open(files);
        } else if (names.stream().anyMatch(name -> Segment.idOf(name).isPresent())) {
            throw LogFault.missing(files.describe(ControlFile.NAME));
        } else {
            opened = ControlFile.create(files, new SecureRandom().nextLong(), start.position(), start.ticket());
        }
        control = opened;
        return opened;
    }

    /** Opens all segments; a log without any gets its first, of this size. */
    List<Segment> openSegments(ControlFile known, long firstSize) throws IOException {
        ControlFile.State state = known.state();
        NavigableSet<Long> ids = sweep(state.oldest());
        // The control file may not know a segment that was created and named just before a crash.
        long newest = Math.max(state.newest(), ids.isEmpty() ? 0 : Math.min(ids.last(), state.newest() + 1));
        for (long id = state.oldest(); id <= newest; id++) {
            if (!ids.remove(id)) {
                throw LogFault.missing(files.describe(Segment.name(id)));
            }
            segments.add(openSegment(id, state.secret()));
        }
        if (!ids.isEmpty()) {
            throw LogFault.missing(files.describe(Segment.name(newest + 1)));
        }
        if (newest > state.newest()) {
            known.write(state.withNewest(newest));
        }
        if (segments.isEmpty()) {
            segments.add(new SegmentMaker(files, known).make(state.oldest(), firstSize));
        }
        return new ArrayList<>(segments);
    }

    /** Deletes leftovers and returns the remaining segments. */
    private NavigableSet<Long> sweep(long oldest) throws IOException {
        NavigableSet<Long> ids = new TreeSet<>();
        for (String name : files.list()) {
            Optional<Long> id = Segment.idOf(name);
            if (id.isPresent() && id.get() >= oldest) {
                ids.add(id.get());
            } else if (id.isPresent()
                    || name.equals(SegmentMaker.TEMPORARY)
                    || name.equals(ControlFile.TEMPORARY)
                    || name.endsWith(SegmentMaker.SPARE_SUFFIX)) {
                files.delete(name);
            }
        }
        return ids;
    }

    private Segment openSegment(long id, long secret) throws IOException {
        String name = Segment.name(id);
        String described = files.describe(name);
        LogFile file = files.open(name);
        try {
            byte[] bytes = new byte[Stamp.BYTES];
            file.readAll(ByteBuffer.wrap(bytes), 0);
            Stamp stamp = Stamp.decode(Segment.MAGIC, bytes)
                    .orElseThrow(() -> LogFault.corrupt("The segment's header is damaged", described, 0));
            if (stamp.version() > Stamp.VERSION) {
                throw LogFault.newer(described, stamp.version(), Stamp.VERSION);
            }
            if (stamp.number(0) != secret || stamp.number(1) != id) {
                throw LogFault.corrupt("The segment belongs to another log or place", described, 0);
            }
            return new Segment(secret, id, stamp.version(), stamp.number(2) == 1, file, file.size());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }
}
