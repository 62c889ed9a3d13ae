package io.polytable.sql.model;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.SortOrder;
import io.polytable.table.TableKind;
import io.polytable.table.TableStore;
import io.polytable.table.codec.KeyReader;
import java.util.HashSet;
import java.util.Set;

/** Fills a new index from the rows that are there; nobody writes meanwhile. */
final class IndexBuilder {
    private static final long BATCH_BYTES = 1 << 20;

    private final TableStore store;
    private final SqlTable table;
    private final SqlIndex index;
    private final Batch batch = new Batch();

    /** Entries of the batch that is not committed yet. */
    private final Set<Bytes> pending = new HashSet<>();

    private boolean refreshing;

    IndexBuilder(TableStore store, SqlTable table, SqlIndex index) {
        this.store = store;
        this.table = table;
        this.index = index;
    }

    void run() {
        // A definition runs alone, so no row moves from the store into a file between the two readings.
        try (StoredRows rows = table.everyRow(store)) {
            while (rows.next()) {
                StoredRow row = rows.row();
                if (!row.isDeleted()) {
                    add(row);
                }
            }
        }
        flush();
    }

    /** Writes the entries of all rows again, as they are. */
    static void refresh(TableStore store, SqlTable table, SqlIndex index) {
        IndexBuilder builder = new IndexBuilder(store, table, index);
        builder.refreshing = true;
        builder.run();
    }

    private void add(StoredRow row) {
        RowKey entry = index.key(user(row), row.values(), row.key());
        boolean taken = !refreshing
                && index.isUniqueFor(row.values())
                && (!pending.add(entry.bytes())
                        || store.read(index.table(), entry).isPresent());
        if (taken) {
            throw new SqlError(
                    SqlCode.UNIQUE_VIOLATION,
                    "could not create unique index \"" + index.def().name() + "\": Key " + index.described(row.values())
                            + " is duplicated");
        }
        batch.put(index.table(), entry, SqlIndex.pointer(row.key()));
        if (batch.sizeBytes() > BATCH_BYTES) {
            flush();
        }
    }

    private String user(StoredRow row) {
        return table.def().kind() == TableKind.USER ? new KeyReader(row.key().bytes()).string(SortOrder.ASCENDING) : "";
    }

    private void flush() {
        if (!batch.isEmpty()) {
            store.commit(batch).awaitDurable();
            batch.clear();
            pending.clear();
        }
    }
}
