package io.polytable.sql.command.compiled;

import io.polytable.sql.model.table.SqlTable;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** The parsed defaults and checks of tables, and what was compiled for them, as long as a table has the schema they belong to. */
public final class RuleCache {
    private final Map<SqlTable, TableRules> rules = Collections.synchronizedMap(new WeakHashMap<>());

    public TableRules of(SqlTable table) {
        return rules.computeIfAbsent(table, TableRules::new);
    }
}
