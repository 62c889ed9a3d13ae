package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The errors of RocksDB as the store's. */
final class RocksFault {
    private RocksFault() {}

    static StoreException of(RocksDBException e) {
        Status status = e.getStatus();
        String text = String.valueOf(e.getMessage());
        boolean full = text.contains("No space left");
        boolean corrupt = status != null && status.getCode() == Status.Code.Corruption;
        boolean locked = text.contains("lock") && text.contains("LOCK");
        StoreError error =
                full ? StoreError.NO_ROOM : corrupt ? StoreError.CORRUPT : locked ? StoreError.IN_USE : StoreError.IO;
        return new StoreException(error, "RocksDB failed", Map.of("message", text), e);
    }
}
