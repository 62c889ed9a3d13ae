package io.polytable.sql.model.table;

import io.polytable.sql.model.definition.TableDef;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.write.Batch;
import java.util.Map;

/** The tier of flushed rows of all tables, as the catalog needs it. */
public interface ColdTier {
    /** A tier without flushes. */
    ColdTier NONE = new ColdTier() {
        @Override
        public ColdRows of(TableDef def, Table table) {
            return ColdRows.NONE;
        }

        @Override
        public void check(Map<String, String> options) {
            // No storage is used, so any name is valid.
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

    /** Rejects options that name an unknown storage. */
    void check(Map<String, String> options);

    /** Whether files of a dropped table still exist where a new table of this name would write. */
    boolean isTaken(TableName physical);

    /** Adds to the batch that drops the table a job that deletes its files. */
    void dropped(Batch batch, SqlTable table);
}
