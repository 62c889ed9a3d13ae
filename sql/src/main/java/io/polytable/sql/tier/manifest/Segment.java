package io.polytable.sql.tier.manifest;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.time.Instant;
import java.util.Optional;

/**
 * One Parquet file of flushed rows, sorted by key, each key once.
 *
 * @param id a ticket, which is part of the file name
 * @param order the age rank: where two segments have the same key, the one with the larger order has the newer row
 * @param path the path within the storage
 * @param tombstones how many of its rows are tombstones
 * @param sha256 the checksum of the file in hexadecimal digits; empty if written before files had one
 * @param replaces upper bound of its keys that older segments have too; zero means that it hides nothing
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
        Optional<String> sha256,
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

    /** Whether rows of the other segment may hide rows of this one. */
    public boolean isHiddenBy(Segment newer) {
        return newer.order > order && newer.replaces > 0 && overlaps(newer);
    }
}
