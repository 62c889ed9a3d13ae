package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.List;
import java.util.stream.IntStream;

/** A cursor over key rows of all physical databases, table by table: for views and checks. */
public final class KeyRows implements AutoCloseable {
    private final RedisTables tables;
    private final Reader reader;
    private final List<Stretch> stretches;
    private int at;
    private Cursor rows;

    /** A range of one key table. */
    public record Stretch(int part, KeyRange range) {}

    /** Walks over all key tables. */
    public KeyRows(RedisTables tables, Reader reader) {
        this(
                tables,
                reader,
                IntStream.range(0, tables.partCount())
                        .mapToObj(part -> new Stretch(part, KeyRange.ALL))
                        .toList());
    }

    /** Walks over the given ranges, at least one. */
    public KeyRows(RedisTables tables, Reader reader, List<Stretch> stretches) {
        this.tables = tables;
        this.reader = reader;
        this.stretches = stretches;
        this.rows = open();
    }

    private Cursor open() {
        Stretch stretch = stretches.get(at);
        return reader.scan(tables.keys(stretch.part()), stretch.range());
    }

    public boolean next() {
        while (!rows.next()) {
            if (at == stretches.size() - 1) {
                return false;
            }
            rows.close();
            at++;
            rows = open();
        }
        return true;
    }

    public int part() {
        return stretches.get(at).part();
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
