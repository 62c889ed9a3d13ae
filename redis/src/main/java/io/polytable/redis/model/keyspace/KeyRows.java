package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;

/** Iterates over all key rows, table by table, of all physical databases: for views and checks. */
public final class KeyRows implements AutoCloseable {
    private final RedisTables tables;
    private final Reader reader;
    private final int lastPart;
    private int part;
    private Cursor rows;

    /** The walk over all key tables. */
    public KeyRows(RedisTables tables, Reader reader) {
        this(tables, reader, 0, tables.partCount() - 1);
    }

    /** The walk over one key table. */
    public KeyRows(RedisTables tables, Reader reader, int part) {
        this(tables, reader, part, part);
    }

    private KeyRows(RedisTables tables, Reader reader, int firstPart, int lastPart) {
        this.tables = tables;
        this.reader = reader;
        this.part = firstPart;
        this.lastPart = lastPart;
        this.rows = reader.scan(tables.keys(firstPart), KeyRange.ALL);
    }

    public boolean next() {
        while (!rows.next()) {
            if (part == lastPart) {
                return false;
            }
            rows.close();
            rows = reader.scan(tables.keys(++part), KeyRange.ALL);
        }
        return true;
    }

    public int part() {
        return part;
    }

    public int physicalDatabase() {
        return rows.key().at(0) & 0xff;
    }

    public Bytes row() {
        return rows.key();
    }

    public Bytes key() {
        return Layout.redisKey(rows.key());
    }

    public Bytes value() {
        return rows.value();
    }

    @Override
    public void close() {
        rows.close();
    }
}
