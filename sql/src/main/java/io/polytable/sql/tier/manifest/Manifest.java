package io.polytable.sql.tier.manifest;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One version of the list of segments of a scope.
 *
 * @param table the name of the table when the version was written
 * @param scope the user of a user table; empty for a shared table and for all users of a packed one
 * @param version counts from 1
 * @param schemas the columns of the segments, by schema version
 */
public record Manifest(
        String table,
        int tableId,
        String scope,
        long version,
        Instant updatedAt,
        Map<Integer, List<FileColumn>> schemas,
        List<Segment> segments) {
    public Manifest {
        schemas = Map.copyOf(schemas);
        segments = List.copyOf(segments);
    }

    public static Manifest empty(String table, int tableId, String scope) {
        return new Manifest(table, tableId, scope, 0, Instant.EPOCH, Map.of(), List.of());
    }

    /** The next version, without the segments {@code gone} and with {@code more}. */
    public Manifest next(
            String name,
            long nextVersion,
            Instant now,
            Collection<Segment> gone,
            Collection<Segment> more,
            Map<Integer, List<FileColumn>> newSchemas) {
        List<Segment> left = new ArrayList<>(segments);
        left.removeAll(gone);
        left.addAll(more);
        left.sort((a, b) -> Long.compare(a.order(), b.order()));
        Map<Integer, List<FileColumn>> known = new TreeMap<>(schemas);
        known.putAll(newSchemas);
        known.keySet().retainAll(left.stream().map(Segment::schemaVersion).collect(Collectors.toSet()));
        return new Manifest(name, tableId, scope, nextVersion, now, known, left);
    }

    /** The columns of the segment's file. */
    public List<FileColumn> columns(Segment segment) {
        List<FileColumn> columns = schemas.get(segment.schemaVersion());
        if (columns == null) {
            throw new IllegalStateException(
                    "A manifest does not list the columns of version " + segment.schemaVersion());
        }
        return columns;
    }

    public long rows() {
        return segments.stream().mapToLong(Segment::rows).sum();
    }

    public long bytes() {
        return segments.stream().mapToLong(Segment::bytes).sum();
    }
}
