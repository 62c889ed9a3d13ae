package io.polytable.store.log.file;

import io.polytable.store.log.LogFault;
import io.polytable.store.log.disk.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Crash recovery of the log: checks every retained batch, truncates a torn tail, refuses damage.
 *
 * <p>The log ends where the expected batch is neither after the last one nor at the start of the next segment. If an
 * earlier or later batch or the sync mark says that a position at or after this place had been synced, then durable
 * bytes were lost: {@link io.polytable.table.StoreError#CORRUPT}. Otherwise the bytes there were being written when the
 * machine stopped, and are truncated.
 */
final class LogRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);

    private final LogFiles files;
    private final ControlFile control;
    private final SyncMarks.Mark mark;
    private final List<Segment> segments;
    private final SegmentWalk walk = new SegmentWalk();

    /** A log ready for appending: everything promised is on disk, and nothing follows it. */
    record Opened(
            ControlFile control,
            SegmentChain chain,
            @Nullable Segment next,
            Optional<TornTail> cut) {}

    private LogRecovery(LogFiles files, ControlFile control, List<Segment> segments) {
        this.files = files;
        this.control = control;
        this.mark = control.marks().newest();
        this.segments = segments;
    }

    static Opened open(LogFiles files, FileLogOptions options) {
        try (Inventory inventory = new Inventory(files)) {
            ControlFile control = inventory.openControl(options.startAfter());
            List<Segment> segments = inventory.openSegments(control, SegmentSupply.firstSize(options));
            Opened opened = new LogRecovery(files, control, segments).settle(SegmentSupply.firstSize(options));
            inventory.handOver();
            return opened;
        } catch (IOException e) {
            throw LogFault.unusable(files.describe(""), e);
        }
    }

    private Opened settle(long firstSize) throws IOException {
        int last = walk(control.state());
        Optional<TornTail> cut = settleEnd(last);
        forceUnsynced(last);
        int active = ofThisVersion(last, firstSize);
        dropBehind(active + 1);
        Segment[] chain = segments.subList(0, active + 1).toArray(Segment[]::new);
        seal(chain);
        control.marks().begin(chain[active].last());
        Segment next = active + 1 < segments.size() ? segments.get(active + 1) : null;
        return new Opened(control, new SegmentChain(chain), next, cut);
    }

    /** The index of the segment to continue in: the next one if the last is of an older version. */
    private int ofThisVersion(int last, long firstSize) throws IOException {
        Segment end = segments.get(last);
        if (end.isOfThisVersion()) {
            return last;
        }
        if (last + 1 == segments.size() || !segments.get(last + 1).isOfThisVersion()) {
            dropBehind(last);
            segments.add(new SegmentMaker(files, control).make(end.id() + 1, firstSize));
        }
        segments.get(last + 1).begin(end.last() + 1, end.ticket(), end.writtenMillis());
        return last + 1;
    }

    /** Reads all batches; returns the index of the segment with the last one. */
    private int walk(ControlFile.State state) throws IOException {
        int at = 0;
        segments.get(0).begin(state.oldestFirst(), state.ticketBefore(), 0);
        while (true) {
            Segment segment = segments.get(at);
            walk.takeIn(segment);
            long expected = segment.last() + 1;
            if (at + 1 == segments.size() || !walk.startsWith(segments.get(at + 1), expected)) {
                return at;
            }
            at++;
            segments.get(at).begin(expected, segment.ticket(), segment.writtenMillis());
        }
    }

    private Optional<TornTail> settleEnd(int active) throws IOException {
        Segment end = segments.get(active);
        long expected = end.last() + 1;
        if (mark.clean() && mark.synced() == end.last()) {
            return Optional.empty();
        }
        // Checked before searching beyond the end, which may take long if a segment in the middle is damaged.
        requireUnsynced(active);
        long bytes = 0;
        List<Segment> dirty = new ArrayList<>();
        for (Segment segment : segments.subList(active, segments.size())) {
            long from = segment == end ? end.written() : Segment.HEADER_BYTES;
            SegmentWalk.Remains remains = walk.remains(segment, from, expected);
            if (remains.end() > from) {
                dirty.add(segment);
                bytes += remains.end() - from;
            }
        }
        requireUnsynced(active);
        return dirty.isEmpty() ? Optional.empty() : Optional.of(cut(end, dirty, bytes));
    }

    /** Refuses to treat synced bytes as a torn tail. */
    private void requireUnsynced(int active) throws IOException {
        Segment end = segments.get(active);
        long expected = end.last() + 1;
        if (Math.max(walk.syncedSeen(), mark.synced()) < expected) {
            return;
        }
        boolean inNext = active + 1 < segments.size()
                && !walk.resembles(end, end.written(), expected)
                && walk.beginsDamaged(segments.get(active + 1), expected);
        Segment place = inNext ? segments.get(active + 1) : end;
        long offset = inNext ? Segment.HEADER_BYTES : end.written();
        String text = "The log is damaged at a place that had been synced";
        throw LogFault.corrupt(text, files.describe(place.name()), offset);
    }

    /**
     * Overwrites everything after the end with zeros, so that a later recovery cannot find a batch that was cut off
     * here.
     */
    private TornTail cut(Segment end, List<Segment> dirty, long bytes) throws IOException {
        TornTail tail = new TornTail(files.describe(end.name()), end.written(), bytes, end.last() + 1);
        for (Segment segment : dirty) {
            Zeros.write(segment.file(), segment == end ? end.written() : Segment.HEADER_BYTES, segment.prepared());
            segment.file().force();
        }
        LOG.warn(
                "The log's tail was torn and is cut: file {} offset {} bytes {} first position {}",
                tail.file(),
                tail.offset(),
                tail.bytes(),
                tail.position());
        return tail;
    }

    /**
     * Syncs what may only be in the page cache. Writes it again first: after a failed sync the kernel marks its pages
     * clean although the disk never got them, and a second sync would report success.
     */
    private void forceUnsynced(int active) throws IOException {
        long known = Math.max(walk.syncedSeen(), mark.synced());
        ByteBuffer buffer = ByteBuffer.allocate(ReadWindow.WINDOW_BYTES);
        for (Segment segment : segments.subList(0, active + 1)) {
            if (segment.last() > known) {
                long from = segment.floor(known + 1);
                for (long at = from; at < segment.written(); at += buffer.capacity()) {
                    buffer.clear().limit((int) Math.min(buffer.capacity(), segment.written() - at));
                    segment.file().readAll(buffer, at);
                    segment.file().writeAll(buffer.flip(), at);
                }
                segment.file().force();
            }
        }
    }

    /** Deletes surplus prepared segments: at most one is kept ahead, but truncation may have gone back over several. */
    private void dropBehind(int next) throws IOException {
        // One by one from the end: there may be one segment that the control file does not know, but not two.
        for (int last = segments.size() - 1; last > next; last--) {
            Segment segment = segments.remove(last);
            control.write(control.state().withNewest(segment.id() - 1));
            segment.closeFile();
            files.delete(segment.name());
            files.syncDirectory();
        }
    }

    private void seal(Segment[] chain) throws IOException {
        for (int i = 0; i < chain.length - 1; i++) {
            chain[i].sealed(files.modifiedMillis(chain[i].name()));
            chain[i].closeFile();
        }
    }
}
