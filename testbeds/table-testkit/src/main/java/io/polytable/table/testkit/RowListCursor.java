package io.polytable.table.testkit;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** A cursor over a copy of the rows, made when it was opened. */
final class RowListCursor implements Cursor {
    private final List<Map.Entry<Bytes, Bytes>> rows;
    private final Direction direction;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private long left;
    private int at = -1;

    private RowListCursor(List<Map.Entry<Bytes, Bytes>> rows, Direction direction, long limit) {
        this.rows = rows;
        this.direction = direction;
        left = limit;
    }

    static Cursor over(NavigableMap<Bytes, Bytes> rows, KeyRange range, Direction direction, long limit) {
        NavigableMap<Bytes, Bytes> inRange = within(rows, range);
        NavigableMap<Bytes, Bytes> walked = direction == Direction.FORWARD ? inRange : inRange.descendingMap();
        List<Map.Entry<Bytes, Bytes>> copies = walked.entrySet().stream()
                .<Map.Entry<Bytes, Bytes>>map(row -> Map.entry(row.getKey(), row.getValue()))
                .toList();
        return new RowListCursor(copies, direction, limit);
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
        at = left == 0 ? rows.size() : Math.min(at + 1, rows.size());
        return arrived();
    }

    @Override
    public boolean seek(Bytes target) {
        do {
            at = left == 0 ? rows.size() : Math.min(at + 1, rows.size());
        } while (at < rows.size() && isBefore(key(), target));
        return arrived();
    }

    private boolean isBefore(Bytes row, Bytes target) {
        int order = row.compareTo(target);
        return direction == Direction.FORWARD ? order < 0 : order > 0;
    }

    private boolean arrived() {
        if (at == rows.size()) {
            return false;
        }
        left--;
        return true;
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
    public ByteSlice keySlice() {
        return key.set(key());
    }

    @Override
    public ByteSlice valueSlice() {
        return value.set(value());
    }

    @Override
    public void close() {
        // Nothing is held but the copied rows.
    }
}
