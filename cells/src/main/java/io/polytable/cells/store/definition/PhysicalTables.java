package io.polytable.cells.store.definition;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellKeys;
import io.polytable.cells.layout.CellRows;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.util.Optional;
import java.util.Set;

/** Creates, copies and drops the physical tables of cell tables. */
public final class PhysicalTables {
    private static final long COPY_BATCH_BYTES = 1 << 20;

    /** The name is for humans; the ticket at its end makes it unique. */
    private static final int NAME_CHARS_MAX = 200;

    private final TableStore store;

    public PhysicalTables(TableStore store) {
        this.store = store;
    }

    public Table create(CellTableSpec spec) {
        return store.create(CellRows.tableSpec(freshName(spec), spec));
    }

    private TableName freshName(CellTableSpec spec) {
        String readable = spec.name().namespace() + "." + spec.name().name();
        String cut = readable.substring(0, Math.min(readable.length(), NAME_CHARS_MAX));
        return new TableName(Definitions.NAMESPACE, cut + "." + store.ticket());
    }

    public Table existing(String physical) {
        return find(physical).orElseThrow(() -> new IllegalStateException("no physical table " + physical));
    }

    /** Empty if it was dropped. */
    public Optional<Table> find(String physical) {
        return store.find(new TableName(Definitions.NAMESPACE, physical));
    }

    public void drop(Table table) {
        store.drop(table.name());
    }

    /**
     * Copies all stored cells, masked or not, from one snapshot. Nonces are not copied: they identify writes to the
     * source.
     */
    public Table copy(Table source, CellTableSpec spec) {
        Table target = create(spec);
        try {
            copy(source, target, CellRows.keys(RowRange.ALL));
            return target;
        } catch (RuntimeException | Error failed) {
            dropUnfinished(target, failed);
            throw failed;
        }
    }

    /** Nothing names it, so it would only take space until the next start. */
    private void dropUnfinished(Table target, Throwable reason) {
        try {
            drop(target);
        } catch (StoreException kept) {
            reason.addSuppressed(kept);
        }
    }

    private void copy(Table source, Table target, KeyRange range) {
        try (Snapshot snapshot = store.snapshot();
                Cursor cursor = snapshot.scan(source, range)) {
            Batch batch = new Batch();
            while (cursor.next()) {
                batch.put(target, CellKeys.stored(cursor.key()), cursor.value());
                if (batch.sizeBytes() >= COPY_BATCH_BYTES) {
                    store.commit(batch);
                    batch.clear();
                }
            }
            AnswerGate.settle(store.commit(batch));
        }
    }

    /** Drops physical tables without a definition, which a crash during a change of definitions leaves behind. */
    public void dropOthersThan(Set<String> defined) {
        for (Table table : store.tables()) {
            TableName name = table.name();
            boolean ours = name.namespace().equals(Definitions.NAMESPACE) && !name.equals(Definitions.NAME);
            if (ours && !defined.contains(name.name())) {
                store.drop(name);
            }
        }
    }
}
