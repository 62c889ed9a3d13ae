package io.polytable.sql.model.table;

import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.write.Batch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A table whose rows are all in the store. */
final class NoColdRows implements ColdRows {
    @Override
    public boolean isUsed() {
        return false;
    }

    @Override
    public Optional<StoredRow> find(Reader reader, SqlTable table, Bytes key) {
        return Optional.empty();
    }

    @Override
    public StoredRows scan(
            Reader reader, SqlTable table, Optional<String> user, List<KeyRange> ranges, Direction direction) {
        return StoredRows.NONE;
    }

    @Override
    public Object version(Reader reader, SqlTable table, Bytes key) {
        return "";
    }

    @Override
    public Object version(Reader reader) {
        return "";
    }

    @Override
    public FileScan files(Reader reader, SqlTable table, Relation.Request request) {
        return new FileScan(table.hot(), table.hot(), table.key(), List.of(), () -> {});
    }

    @Override
    public void wrote(long rows) {
        // Never flushed.
    }

    @Override
    public Runnable committing(Supplier<List<Bytes>> keys) {
        return () -> {};
    }

    @Override
    public boolean unlessChanging(Runnable action) {
        action.run();
        return true;
    }

    @Override
    public void truncate(Batch batch) {
        // Nothing was flushed.
    }
}
