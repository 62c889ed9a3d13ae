package io.polytable.sql.tier;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.file.Footers;
import io.polytable.sql.tier.file.SegmentReader;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.LocalFiles;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads lists of segments as one sorted set of rows. */
record ColdFiles(LocalFiles local, Footers footers) {
    /** The newest row of the key in the segments. */
    Optional<StoredRow> find(SqlTable table, List<Segment> segments, Bytes key) {
        List<Segment> candidates = segments.stream()
                .filter(segment -> segment.mayHold(key))
                .sorted(Comparator.comparingLong(Segment::order).reversed())
                .toList();
        for (Segment segment : candidates) {
            Path file = local.pin(segment);
            try {
                Optional<StoredRow> found =
                        SegmentReader.open(file, table, footers).find(key);
                if (found.isPresent()) {
                    return found;
                }
            } finally {
                local.release(file);
            }
        }
        return Optional.empty();
    }

    ColdMerge merged(
            SqlTable table, List<Segment> segments, List<KeyRange> ranges, Direction direction, boolean keysOnly) {
        return new ColdMerge(sources(table, segments, ranges, direction, keysOnly), direction);
    }

    List<ColdMerge.Source> sources(
            SqlTable table, List<Segment> segments, List<KeyRange> ranges, Direction direction, boolean keysOnly) {
        List<ColdMerge.Source> sources = new ArrayList<>();
        for (Segment segment : segments) {
            List<KeyRange> met = ranges.stream().filter(segment::overlaps).toList();
            if (!met.isEmpty()) {
                sources.add(new SegmentSource(this, table, segment, met, direction, keysOnly));
            }
        }
        return sources;
    }
}
