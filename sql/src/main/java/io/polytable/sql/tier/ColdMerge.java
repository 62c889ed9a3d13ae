package io.polytable.sql.tier;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges segments by key and returns the newest row of each key. Opens a segment only when the merge reaches its first
 * key.
 */
final class ColdMerge implements StoredRows {
    private final List<Source> sources;
    private final PriorityQueue<Head> heads;
    private @Nullable StoredRow row;
    private long order;

    /** Rows in key order. */
    interface Source extends AutoCloseable {
        /** A bound that no row precedes in the merge direction, known without reading. */
        Bytes bound();

        @Nullable
        StoredRow next();

        /** The age rank of the last row: larger is newer. */
        long order();

        @Override
        void close();
    }

    /** The position of a source: at a row, or at its bound while it is unread. */
    private static final class Head {
        private final Source source;
        private Bytes key;
        private @Nullable StoredRow row;

        Head(Source source) {
            this.source = source;
            key = source.bound();
        }

        boolean step() {
            row = source.next();
            if (row != null) {
                key = row.key().bytes();
            }
            return row != null;
        }

        long order() {
            // An unread source sorts first among equal keys, so that it is read before one of them is chosen.
            return row == null ? Long.MAX_VALUE : source.order();
        }
    }

    ColdMerge(List<? extends Source> sources, Direction direction) {
        this.sources = new ArrayList<>(sources);
        int sign = direction == Direction.FORWARD ? 1 : -1;
        heads = new PriorityQueue<>((a, b) -> {
            int byKey = sign * a.key.compareTo(b.key);
            return byKey != 0 ? byKey : Long.compare(b.order(), a.order());
        });
        sources.forEach(source -> heads.add(new Head(source)));
    }

    @Override
    public boolean next() {
        while (true) {
            Head head = heads.poll();
            if (head == null) {
                row = null;
                return false;
            }
            StoredRow found = head.row;
            if (found == null) {
                advance(head);
                continue;
            }
            row = found;
            order = head.source.order();
            advance(head);
            skip(found.key().bytes());
            return true;
        }
    }

    private void advance(Head head) {
        if (head.step()) {
            heads.add(head);
        }
    }

    /** Skips older rows of the key. */
    private void skip(Bytes key) {
        for (Head head = heads.peek(); head != null && head.key.equals(key); head = heads.peek()) {
            advance(heads.remove());
        }
    }

    @Override
    public StoredRow row() {
        if (row == null) {
            throw new IllegalStateException("There is no row");
        }
        return row;
    }

    long order() {
        return order;
    }

    @Override
    public void close() {
        sources.forEach(Source::close);
    }
}
