package io.polytable.table.write;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cursor that overlays uncommitted rows on a cursor of the store: own changes win, own deletes hide. */
final class OverlayCursor implements Cursor {
    private final Cursor beneath;
    private final OwnRows own;
    private final NavigableMap<Bytes, DeletedRanges.Segment> deleted;
    private final boolean forward;
    private final ByteSlice ownKey = new ByteSlice();
    private final ByteSlice ownValue = new ByteSlice();
    private long left;

    private boolean hasOwn;
    private boolean hasBeneath;
    private boolean started;

    /** The current own row; null while the current row is from the store, or there is none. */
    private Map.@Nullable Entry<Bytes, Bytes> shownOwn;

    private boolean showsBeneath;

    /**
     * @param own own rows of the range, positioned on the first; those without a value are deleted
     * @param hasOwn whether there is a first
     * @param deleted the disjoint ranges in which the store's rows are hidden, by their first key
     */
    OverlayCursor(
            Cursor beneath,
            OwnRows own,
            boolean hasOwn,
            NavigableMap<Bytes, DeletedRanges.Segment> deleted,
            Direction direction,
            long limit) {
        this.beneath = beneath;
        this.deleted = deleted;
        forward = direction == Direction.FORWARD;
        this.own = own;
        this.hasOwn = hasOwn;
        left = limit;
    }

    @Override
    public boolean next() {
        if (left == 0) {
            return showNothing();
        }
        if (!started || showsBeneath) {
            started = true;
            skipDeleted(beneath.next());
        }
        return show();
    }

    @Override
    public boolean seek(Bytes target) {
        if (left == 0) {
            return showNothing();
        }
        if (started && isShowing() && !isAhead(target)) {
            return next();
        }
        if (!started || (hasBeneath && order(beneath.keySlice().compareWith(target)) < 0)) {
            skipDeleted(beneath.seek(target));
        }
        started = true;
        if (hasOwn && order(own.key().compareTo(target)) < 0) {
            hasOwn = own.seek(target);
        }
        return show();
    }

    private boolean isShowing() {
        return shownOwn != null || showsBeneath;
    }

    private boolean isAhead(Bytes target) {
        return order(keySlice().compareWith(target)) < 0;
    }

    private int order(int comparison) {
        return forward ? comparison : -comparison;
    }

    private boolean showNothing() {
        shownOwn = null;
        showsBeneath = false;
        return false;
    }

    /** Takes the store's next row, or the first one after the range delete that covers it. */
    private void skipDeleted(boolean there) {
        hasBeneath = there;
        while (hasBeneath && !deleted.isEmpty()) {
            Map.Entry<Bytes, DeletedRanges.Segment> range = deleted.floorEntry(beneath.key());
            if (range == null || !range.getValue().reaches(beneath.key())) {
                return;
            }
            Bytes end = range.getValue().to();
            hasBeneath = forward ? !end.isEmpty() && beneath.seek(end) : beneath.seek(range.getKey());
        }
    }

    /** Moves to the first of the pending rows. */
    private boolean show() {
        showNothing();
        while (hasOwn || hasBeneath) {
            int order = !hasOwn ? 1 : hasBeneath ? -order(beneath.keySlice().compareWith(own.key())) : -1;
            if (order > 0) {
                showsBeneath = true;
                left--;
                return true;
            }
            if (order == 0) {
                skipDeleted(beneath.next());
            }
            Bytes key = own.key();
            Optional<Bytes> value = own.value();
            hasOwn = own.next();
            if (value.isPresent()) {
                showOwn(key, value.get());
                return true;
            }
        }
        return false;
    }

    private void showOwn(Bytes key, Bytes value) {
        shownOwn = Map.entry(key, value);
        ownKey.set(key);
        ownValue.set(value);
        left--;
    }

    @Override
    public Bytes key() {
        Map.Entry<Bytes, Bytes> row = shownOwn;
        return row == null ? beneath.key() : row.getKey();
    }

    @Override
    public Bytes value() {
        Map.Entry<Bytes, Bytes> row = shownOwn;
        return row == null ? beneath.value() : row.getValue();
    }

    @Override
    public ByteSlice keySlice() {
        return shownOwn == null ? beneath.keySlice() : ownKey;
    }

    @Override
    public ByteSlice valueSlice() {
        return shownOwn == null ? beneath.valueSlice() : ownValue;
    }

    @Override
    public void close() {
        own.close();
        beneath.close();
    }
}
