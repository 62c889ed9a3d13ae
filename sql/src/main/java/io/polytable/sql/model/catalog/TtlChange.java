package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.table.IndexBuilder;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Changes the time to live of a stream. No index entry expires before its row, even if the change is interrupted: to
 * lengthen it, the entries are rewritten first; to shorten it, the rows change first. The definition follows
 * immediately after the rows.
 */
record TtlChange(TableStore store, SqlTable table, Optional<Duration> ttl) {
    /**
     * @param define writes the definition
     * @param check called for every row that is read; it throws to stop
     */
    void run(Runnable define, Runnable check) {
        boolean longer = isLonger();
        if (longer) {
            refreshIndexes(check);
        }
        store.setTtl(table.table().name(), ttl);
        define.run();
        if (!longer) {
            // Expired rows cannot come back, so this must not be stopped midway.
            refreshIndexes(() -> {});
        }
    }

    private boolean isLonger() {
        Optional<Duration> before = StorageOptions.ttl(table.def().options());
        return ttl.isEmpty()
                || before.filter(past -> past.compareTo(ttl.get()) < 0).isPresent();
    }

    private void refreshIndexes(Runnable check) {
        for (SqlIndex index : table.indexes()) {
            if (index.table().spec().options().rowDeadlines()) {
                store.setTtl(index.table().name(), ttl);
                new IndexBuilder(store, index, check).refresh(table);
            }
        }
    }
}
