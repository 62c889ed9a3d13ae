package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** A cursor over rows that were copied when it was opened. */
final class RowListCursor implements Cursor {
    private final List<Map.Entry<Bytes, Bytes>> rows;
    private int at = -1;

    private RowListCursor(List<Map.Entry<Bytes, Bytes>> rows) {
        this.rows = rows;
    }

    static Cursor over(NavigableMap<Bytes, Bytes> rows, KeyRange range, Direction direction, long limit) {
        NavigableMap<Bytes, Bytes> inRange = within(rows, range);
        NavigableMap<Bytes, Bytes> walked = direction == Direction.FORWARD ? inRange : inRange.descendingMap();
        return new RowListCursor(walked.entrySet().stream()
                .limit(limit)
                .<Map.Entry<Bytes, Bytes>>map(row -> Map.entry(row.getKey(), row.getValue()))
                .toList());
    }

    /** The part of the map that the range covers, as a view. */
    static NavigableMap<Bytes, Bytes> within(NavigableMap<Bytes, Bytes> rows, KeyRange range) {
        if (range.isEmpty()) {
            return rows.headMap(Bytes.EMPTY, false);
        }
        return range.to().isEmpty()
                ? rows.tailMap(range.from(), true)
                : rows.subMap(range.from(), true, range.to(), false);
    }

    @Override
    public boolean next() {
        at = Math.min(at + 1, rows.size());
        return at < rows.size();
    }

    @Override
    public Bytes key() {
        return rows.get(at).getKey();
    }

    @Override
    public Bytes value() {
        return rows.get(at).getValue();
    }

    @Override
    public void close() {
        // Nothing is held but the copied rows.
    }
}
