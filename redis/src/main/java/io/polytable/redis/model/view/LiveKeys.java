package io.polytable.redis.model.view;

import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import java.util.Optional;

/** A cursor over the keys that clients see, in all databases; it can also be positioned at a key. */
final class LiveKeys implements AutoCloseable {
    private final RedisTables tables;
    private final Reader reader;

    /** Absent where keys are only sought. */
    private final Optional<KeyRows> rows;

    private final Databases databases;
    private final long nowMillis;
    private int database = -1;
    private Bytes key = Bytes.EMPTY;
    private Optional<Header> header = Optional.empty();

    LiveKeys(RedisTables tables, Reader reader, Optional<KeyRows> rows, long nowMillis) {
        this.tables = tables;
        this.reader = reader;
        this.rows = rows;
        this.databases = tables.databases(reader);
        this.nowMillis = nowMillis;
    }

    boolean next() {
        KeyRows all = rows.orElseThrow();
        while (all.next()) {
            database = databases.database(all.physicalDatabase());
            if (database >= 0) {
                Header found = Header.decode(all.value());
                header = Optional.of(found);
                if (!found.isExpired(nowMillis)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Positions at a key; false if it does not exist. Rows of one key are sought one after the other. */
    boolean seek(int wantedDatabase, Bytes wanted) {
        if (database != wantedDatabase || !key.equals(wanted)) {
            header = tables.header(reader, databases.physical(wantedDatabase), wanted)
                    .filter(found -> !found.isExpired(nowMillis));
            database = wantedDatabase;
            key = wanted;
        }
        return header.isPresent();
    }

    int database() {
        return database;
    }

    Bytes key() {
        return rows.map(KeyRows::key).orElse(key);
    }

    Header header() {
        return header.orElseThrow();
    }

    @Override
    public void close() {
        rows.ifPresent(KeyRows::close);
    }
}
