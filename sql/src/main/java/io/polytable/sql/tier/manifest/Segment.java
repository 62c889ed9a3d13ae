package io.polytable.sql.tier.manifest;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.time.Instant;

/**
 * One Parquet file of flushed rows, in the order of their keys, each key once.
 *
 * @param id a ticket, which is part of the file's name
 * @param order rows of a segment with a larger one are newer where both have a key
 * @param path where it is in its storage
 * @param tombstones how many of its rows tell that a row was deleted
 * @param replaces how many of its keys older segments have too, at most; zero means that it hides nothing
 */
public record Segment(
        long id,
        long order,
        String storage,
        String path,
        int schemaVersion,
        long rows,
        long tombstones,
        long replaces,
        long bytes,
        Bytes minKey,
        Bytes maxKey,
        Instant createdAt) {

    public boolean overlaps(Segment other) {
        return minKey.compareTo(other.maxKey) <= 0 && other.minKey.compareTo(maxKey) <= 0;
    }

    public boolean overlaps(KeyRange range) {
        return maxKey.compareTo(range.from()) >= 0 && (range.to().isEmpty() || minKey.compareTo(range.to()) < 0);
    }

    public boolean mayHold(Bytes key) {
        return minKey.compareTo(key) <= 0 && maxKey.compareTo(key) >= 0;
    }

    /** Whether rows of this one may be hidden by rows of the other. */
    public boolean isHiddenBy(Segment newer) {
        return newer.order > order && newer.replaces > 0 && overlaps(newer);
    }
}
