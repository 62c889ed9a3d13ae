package io.polytable.sql.model.table;

import io.polytable.sql.model.definition.TableDef;
import io.polytable.table.Batch;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import java.util.Map;

/** Where flushed rows are, for all tables: what the catalog needs to know of it. */
public interface ColdTier {
    /** Nothing is ever flushed. */
    ColdTier NONE = new ColdTier() {
        @Override
        public ColdRows of(TableDef def, Table table) {
            return ColdRows.NONE;
        }

        @Override
        public void check(Map<String, String> options) {
            // Any storage will do: none is used.
        }

        @Override
        public boolean isTaken(TableName physical) {
            return false;
        }

        @Override
        public void dropped(Batch batch, SqlTable table) {
            // There are no files.
        }
    };

    ColdRows of(TableDef def, Table table);

    /** Refuses options that name a storage which is not there. */
    void check(Map<String, String> options);

    /** Whether files of a dropped table are still where a new one of this name would put its own. */
    boolean isTaken(TableName physical);

    /** Adds to the batch that drops the table what has its files removed afterwards. */
    void dropped(Batch batch, SqlTable table);
}
