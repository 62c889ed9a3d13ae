package io.polytable.store.engine;

import io.polytable.store.state.StateTable;
import io.polytable.table.Expiry;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableSpec;
import java.util.Map;

/** A table of the engine, with its handle in the state. */
final class EngineTable implements Table {
    private final int id;
    private volatile TableSpec spec;
    private final StateTable state;
    private volatile Expiry expiry;
    private volatile boolean dropped;

    EngineTable(int id, TableSpec spec, StateTable state) {
        this.id = id;
        this.spec = spec;
        this.state = state;
        expiry = spec.expiry();
    }

    @Override
    public Expiry expiry() {
        return expiry;
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

    StateTable state() {
        return state;
    }

    void drop() {
        dropped = true;
    }

    boolean isDropped() {
        return dropped;
    }

    static EngineTable of(Table table) {
        if (!(table instanceof EngineTable own)) {
            throw new IllegalArgumentException("a table of another store");
        }
        if (own.dropped) {
            throw new StoreException(StoreError.NO_SUCH_TABLE, "The table was dropped", Map.of("table", own.name()));
        }
        return own;
    }
}
