package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.table.IndexBuilder;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Another time to live of a stream. No entry of an index ends before its row, also when this is interrupted: where rows are to
 * live longer, the entries are written anew first, and where they are to end sooner, the rows are told first. The definition
 * follows the rows at once.
 */
record TtlChange(TableStore store, SqlTable table, Optional<Duration> ttl) {
    /**
     * @param define writes the definition
     * @param check asked for every row that is looked at; it throws to end that
     */
    void run(Runnable define, Runnable check) {
        boolean longer = isLonger();
        if (longer) {
            refreshIndexes(check);
        }
        store.setTtl(table.table().name(), ttl);
        define.run();
        if (!longer) {
            // Rows that ended already cannot come back, so this cannot be ended in the middle.
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
