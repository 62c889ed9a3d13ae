package io.polytable.table;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Uncommitted rows laid over a cursor of the store: the own change of a key wins, own deletes hide. */
final class OverlayCursor implements Cursor {
    private final Cursor beneath;
    private final NavigableMap<Bytes, Optional<Bytes>> own;
    private final NavigableMap<Bytes, Bytes> deleted;
    private final boolean forward;
    private final ByteSlice ownKey = new ByteSlice();
    private final ByteSlice ownValue = new ByteSlice();
    private long left;

    private Iterator<Map.Entry<Bytes, Optional<Bytes>>> ownRows;
    private Map.@Nullable Entry<Bytes, Optional<Bytes>> nextOwn;
    private boolean hasBeneath;
    private boolean started;

    /** The own row that is shown; null while a row beneath is, or none. */
    private Map.@Nullable Entry<Bytes, Bytes> shownOwn;

    private boolean showsBeneath;

    /**
     * @param own rows of the range; absent ones are deleted
     * @param deleted first and last key of the ranges of which nothing beneath is to be seen, disjoint
     */
    OverlayCursor(
            Cursor beneath,
            NavigableMap<Bytes, Optional<Bytes>> own,
            NavigableMap<Bytes, Bytes> deleted,
            Direction direction,
            long limit) {
        this.beneath = beneath;
        this.deleted = deleted;
        forward = direction == Direction.FORWARD;
        this.own = forward ? own : own.descendingMap();
        ownRows = this.own.entrySet().iterator();
        left = limit;
        stepOwn();
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
        Map.Entry<Bytes, Optional<Bytes>> candidate = nextOwn;
        if (candidate != null && order(candidate.getKey().compareTo(target)) < 0) {
            ownRows = own.tailMap(target, true).entrySet().iterator();
            stepOwn();
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

    private void stepOwn() {
        nextOwn = ownRows.hasNext() ? ownRows.next() : null;
    }

    /** Takes the row beneath, or the first one behind the range delete that covers it. */
    private void skipDeleted(boolean there) {
        hasBeneath = there;
        while (hasBeneath && !deleted.isEmpty()) {
            Map.Entry<Bytes, Bytes> range = deleted.floorEntry(beneath.key());
            if (range == null
                    || !KeyRange.between(range.getKey(), range.getValue()).contains(beneath.key())) {
                return;
            }
            Bytes end = range.getValue();
            hasBeneath = forward ? !end.isEmpty() && beneath.seek(end) : beneath.seek(range.getKey());
        }
    }

    /** Shows the first of what is ahead. */
    private boolean show() {
        showNothing();
        while (nextOwn != null || hasBeneath) {
            Map.Entry<Bytes, Optional<Bytes>> candidate = nextOwn;
            int order = candidate == null
                    ? 1
                    : hasBeneath ? -order(beneath.keySlice().compareWith(candidate.getKey())) : -1;
            if (candidate == null || order > 0) {
                showsBeneath = true;
                left--;
                return true;
            }
            if (order == 0) {
                skipDeleted(beneath.next());
            }
            stepOwn();
            if (candidate.getValue().isPresent()) {
                showOwn(candidate.getKey(), candidate.getValue().get());
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
        beneath.close();
    }
}
