package io.polytable.sql.command.compiled;

import io.polytable.sql.model.table.SqlTable;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** The cache of {@link TableRules}. Entries are weak: each definition of a table is an object of its own. */
public final class RuleCache {
    private final Map<SqlTable, TableRules> rules = Collections.synchronizedMap(new WeakHashMap<>());

    public TableRules of(SqlTable table) {
        return rules.computeIfAbsent(table.whole(), TableRules::new);
    }
}
