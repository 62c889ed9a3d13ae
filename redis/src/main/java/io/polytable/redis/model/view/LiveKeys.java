package io.polytable.redis.model.view;

import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import org.jspecify.annotations.Nullable;

/** A cursor over the keys that clients see, in all databases. */
final class LiveKeys implements AutoCloseable {
    private final KeyRows rows;
    private final Databases databases;
    private final long nowMillis;
    private int database;
    private @Nullable Header header;

    LiveKeys(RedisTables tables, Reader reader, KeyRows rows, long nowMillis) {
        this.rows = rows;
        this.databases = tables.databases(reader);
        this.nowMillis = nowMillis;
    }

    boolean next() {
        while (rows.next()) {
            database = databases.database(rows.physicalDatabase());
            if (database >= 0) {
                Header found = Header.decode(rows.value());
                header = found;
                if (!found.isExpired(nowMillis)) {
                    return true;
                }
            }
        }
        return false;
    }

    int database() {
        return database;
    }

    Bytes key() {
        return rows.key();
    }

    Header header() {
        Header current = header;
        if (current == null) {
            throw new IllegalStateException("not on a key");
        }
        return current;
    }

    @Override
    public void close() {
        rows.close();
    }
}
