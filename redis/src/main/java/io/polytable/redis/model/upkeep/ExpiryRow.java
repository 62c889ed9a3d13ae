package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.Optional;

/** A row in the order of deadlines, compared with the header of its key by the check and the repair. */
record ExpiryRow(Table expiries, int physical, Bytes key, long deadlineMillis) {
    static ExpiryRow of(Table expiries, Bytes row) {
        return new ExpiryRow(expiries, Layout.expiringDatabase(row), Layout.expiringKey(row), Layout.deadline(row));
    }

    /**
     * Whether the key has another deadline, none, or does not exist. A row whose header cannot be decoded is not
     * stray: it may be all that is left of the key's deadline, and the check reports the header itself.
     */
    boolean isStray(RedisTables tables, Reader reader) {
        if (!tables.expiries(tables.part(key)).equals(expiries)) {
            return true;
        }
        Optional<Header> header;
        try {
            header = tables.header(reader, physical, key);
        } catch (StoreException failed) {
            if (DamagedRows.isDamage(failed)) {
                return false;
            }
            throw failed;
        }
        return header.filter(found -> found.expireAt() == deadlineMillis).isEmpty();
    }
}
