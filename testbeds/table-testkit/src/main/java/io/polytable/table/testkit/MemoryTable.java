package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Expiry;
import io.polytable.table.Table;
import io.polytable.table.TableSpec;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A table of a {@link MemoryStore}: its handle and its rows. The rows are touched only under the store's lock. */
final class MemoryTable implements Table {
    private final MemoryStore owner;
    private final int id;
    private volatile TableSpec spec;
    private volatile Expiry expiry;
    private final NavigableMap<Bytes, Bytes> rows = new TreeMap<>();

    MemoryTable(MemoryStore owner, int id, TableSpec spec) {
        this.owner = owner;
        this.id = id;
        this.spec = spec;
        expiry = spec.expiry();
    }

    @Override
    public Expiry expiry() {
        return expiry;
    }

    boolean isOf(MemoryStore store) {
        return owner == store;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public TableSpec spec() {
        return spec;
    }

    void alter(TableSpec next) {
        spec = next;
        expiry = next.expiry();
    }

    NavigableMap<Bytes, Bytes> rows() {
        return rows;
    }

    @Override
    public String toString() {
        return name() + "#" + id;
    }
}
