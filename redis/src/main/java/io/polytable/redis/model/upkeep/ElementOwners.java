package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;

/** The collection ids that have rows in an element table, found by seeking from one id to the next. */
final class ElementOwners {
    private final Reader reader;
    private final Table elements;
    private Bytes from = Bytes.EMPTY;
    private boolean ended;
    private long id;

    ElementOwners(Reader reader, Table elements) {
        this.reader = reader;
        this.elements = elements;
    }

    boolean next() {
        if (ended) {
            return false;
        }
        try (Cursor row = reader.scan(elements, KeyRange.between(from, Bytes.EMPTY), Direction.FORWARD, 1)) {
            ended = !row.next();
            if (ended) {
                return false;
            }
            id = BigEndian.longAt(row.key(), 0);
        }
        from = Layout.elementsOf(id).successorOfPrefix();
        ended = from.isEmpty();
        return true;
    }

    long id() {
        return id;
    }
}
