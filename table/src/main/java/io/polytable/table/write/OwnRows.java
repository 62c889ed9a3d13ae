package io.polytable.table.write;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** The uncommitted rows of a {@link WriteSet} in a range, in scan order, as of the opening of the scan. */
interface OwnRows extends AutoCloseable {
    /** Moves to the next row; false when there is none. */
    boolean next();

    /** Moves to the first row at or after the key in scan order; the current row is before it. */
    boolean seek(Bytes target);

    Bytes key();

    /** Empty for a row that is deleted. */
    Optional<Bytes> value();

    @Override
    default void close() {}

    /** Rows in a map of their own. */
    final class Copied implements OwnRows {
        private final NavigableMap<Bytes, Optional<Bytes>> rows;
        private Iterator<Map.Entry<Bytes, Optional<Bytes>>> ahead;
        private Map.Entry<Bytes, Optional<Bytes>> current = Map.entry(Bytes.EMPTY, Optional.empty());

        Copied(NavigableMap<Bytes, Optional<Bytes>> rows, Direction direction) {
            this.rows = direction == Direction.FORWARD ? rows : rows.descendingMap();
            this.ahead = this.rows.entrySet().iterator();
        }

        @Override
        public boolean next() {
            boolean there = ahead.hasNext();
            if (there) {
                current = ahead.next();
            }
            return there;
        }

        @Override
        public boolean seek(Bytes target) {
            ahead = rows.tailMap(target, true).entrySet().iterator();
            return next();
        }

        @Override
        public Bytes key() {
            return current.getKey();
        }

        @Override
        public Optional<Bytes> value() {
            return current.getValue();
        }
    }
}
