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

/** What a store gives its {@link RowExpirer}: rows as they are stored, those that are over too. */
public interface StoredRows {
    Optional<Bytes> readStored(Table table, RowKey key);

    Cursor scanStored(Table table, KeyRange range, long limit);

    /** Commits the batch as it is. */
    Commit commitStored(Batch batch);

    /** False while background work shall leave the store to others. */
    boolean hasRoom();

    /** The tables whose rows expire by their keys. */
    List<Table> expiringByKey();
}
