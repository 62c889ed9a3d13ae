package io.polytable.sql.tier;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.file.SegmentReader;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one segment within key ranges. The file is fetched and opened at the first step, but pinned from the
 * beginning: a scan may reach its last file long after a compaction replaced it.
 */
final class SegmentSource implements ColdMerge.Source {
    private final ColdFiles files;
    private final SqlTable table;
    private final Segment segment;
    private final List<KeyRange> ranges;
    private final Direction direction;
    private final boolean keysOnly;
    private final Path held;
    private @Nullable Path pinned;
    private SegmentReader.@Nullable Walk walk;
    private boolean ended;

    SegmentSource(
            ColdFiles files,
            SqlTable table,
            Segment segment,
            List<KeyRange> ranges,
            Direction direction,
            boolean keysOnly) {
        this.files = files;
        this.table = table;
        this.segment = segment;
        this.ranges = ranges;
        this.direction = direction;
        this.keysOnly = keysOnly;
        held = files.local().pinWithoutFetch(segment);
    }

    @Override
    public Bytes bound() {
        return direction == Direction.FORWARD ? segment.minKey() : segment.maxKey();
    }

    @Override
    public @Nullable StoredRow next() {
        if (ended) {
            return null;
        }
        SegmentReader.Walk rows = walk;
        if (rows == null) {
            Path file = files.local().pin(segment);
            pinned = file;
            SegmentReader reader = keysOnly
                    ? SegmentReader.ofKeys(file, table, files.footers())
                    : SegmentReader.open(file, table, files.footers());
            rows = reader.walk(ranges, direction);
            walk = rows;
        }
        StoredRow row = rows.next();
        if (row == null) {
            close();
        }
        return row;
    }

    @Override
    public long order() {
        return segment.order();
    }

    @Override
    public void close() {
        if (!ended) {
            ended = true;
            files.local().release(held);
        }
        if (walk != null) {
            walk.close();
            walk = null;
        }
        if (pinned != null) {
            files.local().release(pinned);
            pinned = null;
        }
    }
}
