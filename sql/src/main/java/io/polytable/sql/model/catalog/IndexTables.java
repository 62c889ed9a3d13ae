package io.polytable.sql.model.catalog;

import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;

/** The tables of indexes in the store. A ticket in their names makes them unique among tables and indexes. */
final class IndexTables {
    private static final String PREFIX = "sql_index.";

    private final TableStore store;

    IndexTables(TableStore store) {
        this.store = store;
    }

    static boolean isName(String name) {
        return name.startsWith(PREFIX);
    }

    static String name(long ticket) {
        return PREFIX + ticket;
    }

    /** A ticket that names no index yet. Earlier versions numbered some indexes by the clock, so it may be taken. */
    long freeTicket(String namespace) {
        long ticket = store.ticket();
        while (store.find(new TableName(namespace, name(ticket))).isPresent()) {
            ticket = store.ticket();
        }
        return ticket;
    }

    /** Creates the table of an index. The store would return an existing one, which two indexes would then share. */
    Table create(TableSpec spec) {
        if (store.find(spec.name()).isPresent()) {
            throw new IllegalStateException("The table of an index exists already: " + spec.name());
        }
        return store.create(spec);
    }
}
