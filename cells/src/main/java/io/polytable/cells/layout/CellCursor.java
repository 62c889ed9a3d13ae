package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;

/**
 * A cursor over the stored cells of the cell layout. It decodes row, family and qualifier when they change, and values
 * on demand.
 */
final class CellCursor implements StoredCursor {
    private final Cursor cursor;
    private boolean onCell;

    private Bytes key = Bytes.EMPTY;

    /** End offsets of row, family and qualifier in the key, their terminators included. */
    private int rowEnd;

    private int familyEnd;
    private int columnEnd;

    private Bytes row = Bytes.EMPTY;
    private Bytes family = Bytes.EMPTY;
    private Bytes qualifier = Bytes.EMPTY;

    CellCursor(Cursor cursor) {
        this.cursor = cursor;
    }

    @Override
    public boolean next() {
        return arrived(cursor.next());
    }

    @Override
    public boolean seek(CellPosition position) {
        return seek(CellKeys.key(position));
    }

    private boolean seek(Bytes target) {
        if (onCell && key.compareTo(target) >= 0) {
            return true;
        }
        return arrived(cursor.seek(target));
    }

    /** Over a reverse cursor: moves to the last cell whose key is at or before the target. */
    boolean seekBack(Bytes target) {
        return arrived(cursor.seek(target));
    }

    @Override
    public boolean skipColumn() {
        return skip(columnEnd);
    }

    @Override
    public boolean skipRow() {
        return skip(rowEnd);
    }

    /**
     * Moves behind all keys with the prefix. Often that is the next cell, and one step is cheaper than a seek. We do
     * not try a second step: it could walk over the tombstones of all deleted versions of a counter.
     */
    private boolean skip(int prefixLength) {
        Bytes from = key;
        if (!next() || !key.startsWith(from.slice(0, prefixLength))) {
            return onCell;
        }
        return seek(CellKeys.behind(from, prefixLength));
    }

    private boolean arrived(boolean there) {
        onCell = there;
        if (there) {
            decode(cursor.key());
        }
        return there;
    }

    private void decode(Bytes next) {
        boolean sameColumn = next.length() == columnEnd + CellKeys.TAIL_BYTES && samePrefix(next, columnEnd);
        if (!sameColumn) {
            decodeColumn(next);
        }
        key = next;
    }

    private void decodeColumn(Bytes next) {
        if (!samePrefix(next, rowEnd)) {
            rowEnd = CellKeys.end(next, 0);
            row = CellKeys.component(next, 0, rowEnd);
            familyEnd = 0;
        }
        if (!samePrefix(next, familyEnd)) {
            familyEnd = CellKeys.end(next, rowEnd);
            Bytes name = CellKeys.component(next, rowEnd, familyEnd);
            // Rows mostly have the same families, so they share one object.
            family = name.equals(family) ? family : name.copy();
        }
        columnEnd = CellKeys.end(next, familyEnd);
        qualifier = CellKeys.component(next, familyEnd, columnEnd);
        if (next.length() != columnEnd + CellKeys.TAIL_BYTES) {
            throw Damage.of("A cell's key is damaged", next);
        }
    }

    private boolean samePrefix(Bytes next, int length) {
        return length > 0 && next.length() >= length && next.startsWith(key.slice(0, length));
    }

    @Override
    public boolean isOnCell() {
        return onCell;
    }

    @Override
    public Bytes row() {
        return row;
    }

    @Override
    public Bytes family() {
        return family;
    }

    @Override
    public Bytes qualifier() {
        return qualifier;
    }

    @Override
    public long timestamp() {
        return CellKeys.timestamp(key, columnEnd);
    }

    @Override
    public CellKind kind() {
        return CellKind.ofCode(CellKeys.kindCode(key));
    }

    /** Decodes one cell from its key and stored value. */
    static Cell decode(Bytes key, Bytes stored) {
        int rowEnd = CellKeys.end(key, 0);
        int familyEnd = CellKeys.end(key, rowEnd);
        int columnEnd = CellKeys.end(key, familyEnd);
        if (key.length() != columnEnd + CellKeys.TAIL_BYTES) {
            throw Damage.of("A cell's key is damaged", key);
        }
        long ttl = CellValues.ttlMillis(stored);
        return new Cell(
                CellKeys.component(key, 0, rowEnd),
                CellKeys.component(key, rowEnd, familyEnd),
                CellKeys.component(key, familyEnd, columnEnd),
                CellKeys.timestamp(key, columnEnd),
                CellKind.ofCode(CellKeys.kindCode(key)),
                CellValues.value(stored, ttl),
                ttl);
    }

    @Override
    public Cell cell() {
        Bytes stored = cursor.value();
        long ttl = CellValues.ttlMillis(stored);
        return new Cell(row, family, qualifier, timestamp(), kind(), CellValues.value(stored, ttl), ttl);
    }

    @Override
    public void close() {
        cursor.close();
    }
}
