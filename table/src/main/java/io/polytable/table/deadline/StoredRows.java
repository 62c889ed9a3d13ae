package io.polytable.table.deadline;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.List;
import java.util.Optional;

/** Access to stored rows for a {@link RowExpirer}, expired ones included. */
public interface StoredRows {
    Optional<Bytes> readStored(Table table, RowKey key);

    Cursor scanStored(Table table, KeyRange range, long limit);

    /** Commits the batch as it is. */
    Commit commitStored(Batch batch);

    /** False while background work should yield to other work. */
    boolean hasRoom();

    /** The tables whose rows expire by their keys. */
    List<Table> expiringByKey();
}
