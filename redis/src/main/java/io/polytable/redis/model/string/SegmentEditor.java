package io.polytable.redis.model.string;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Segments;
import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * Changes the segments of one string. The segment changed last stays open, since the steps of a BITFIELD mostly fall
 * into the same one; a call holds one segment besides what it has written.
 */
final class SegmentEditor {
    private static final int NONE = -1;

    private final CollectionHeader header;
    private final Segments rows;
    private final Elements elements;
    private final byte[] open = new byte[Segments.BYTES];
    private int openNumber = NONE;
    private boolean changed;

    SegmentEditor(Space space, CollectionHeader header) {
        this.header = header;
        this.rows = space.segments(header);
        this.elements = space.elements(header, ElementKind.STRING_SEGMENT);
    }

    CollectionHeader header() {
        return header;
    }

    Segments rows() {
        return rows;
    }

    byte[] read(long from, int count) {
        flush();
        return rows.read(from, count);
    }

    void write(long from, Bytes part) {
        int done = 0;
        while (done < part.length()) {
            long at = from + done;
            int inSegment = (int) (at % Segments.BYTES);
            int count = Math.min(part.length() - done, Segments.BYTES - inSegment);
            open(Segments.number(at), count == Segments.BYTES);
            part.slice(done, done + count).copyTo(open, inSegment);
            changed = true;
            done += count;
        }
    }

    /** Opens the segment; one that is about to be overwritten as a whole is not read. */
    private void open(int number, boolean overwritten) {
        if (number == openNumber) {
            return;
        }
        flush();
        openNumber = number;
        if (!overwritten) {
            Bytes stored = rows.get(number);
            stored.copyTo(open, 0);
            Arrays.fill(open, stored.length(), open.length, (byte) 0);
        }
    }

    /** Writes the row of the open segment. */
    void flush() {
        if (!changed) {
            return;
        }
        changed = false;
        Bytes stored = Segments.stored(open, 0, open.length);
        if (stored.isEmpty()) {
            elements.delete(Segments.sub(openNumber));
        } else {
            elements.put(Segments.sub(openNumber), stored);
        }
    }
}
