package io.polytable.redis.model.string;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Segments;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;

/**
 * Makes a string in segments readable again: it keeps what is stored and extends the length to cover it. It deletes
 * rows that no reader would look up, and cuts off what exceeds a segment's size, since that overlaps the next one.
 */
public final class SegmentRepair {
    private static final int ROWS_PER_COMMIT = 256;

    private final Table table;
    private final WriteSet writes;
    private final CollectionHeader header;
    private long length;

    public SegmentRepair(RedisTables tables, CollectionHeader header) {
        this.table = tables.elements(header.home());
        this.writes = new WriteSet(tables.store());
        this.header = header;
        this.length = Math.max(0, Math.min(header.size(), Strings.LENGTH_MAX));
    }

    /** Answers the header that matches the rows. */
    public CollectionHeader run() {
        try (Cursor rows = writes.scan(table, Layout.elements(header.id(), ElementKind.STRING_SEGMENT))) {
            while (rows.next()) {
                repair(rows);
                if (writes.changes() >= ROWS_PER_COMMIT) {
                    var unused = writes.commit();
                }
            }
        }
        var unused = writes.commit();
        return header.withSize(length);
    }

    private void repair(Cursor row) {
        RowKey key = new RowKey(row.key(), Layout.ELEMENT_PREFIX);
        boolean numbered = row.key().length() == Layout.ELEMENT_PREFIX + Integer.BYTES;
        int number = numbered ? Segments.number(row) : -1;
        if (number < 0 || number >= Segments.count(Strings.LENGTH_MAX)) {
            writes.delete(table, key);
            return;
        }
        byte[] bytes = row.value().toByteArray();
        Bytes stored = Segments.stored(bytes, 0, Math.min(bytes.length, Segments.BYTES));
        if (stored.isEmpty()) {
            writes.delete(table, key);
            return;
        }
        if (stored.length() != bytes.length) {
            writes.put(table, key, stored);
        }
        length = Math.max(length, (long) number * Segments.BYTES + stored.length());
    }
}
