package io.polytable.store.merge;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges sources that are ordered from the newest to the oldest: of a key the newest row counts. The source of the shown
 * row stays on it until the next step, so that a row is looked at where it lies.
 */
public final class MergeCursor implements Cursor {
    private static final int NONE = -1;

    private final Source[] sources;
    private final boolean[] there;
    private final int sign;
    private final Runnable onClose;
    private boolean closed;
    private long left;
    private boolean started;

    /** The source whose row is shown. */
    private int shown = NONE;

    /** The shown row's, once asked for: many callers ask twice. */
    private @Nullable Bytes key;

    private @Nullable Bytes value;

    /** @param onClose lets go of what the sources show */
    public MergeCursor(List<? extends Source> newestFirst, Direction direction, long limit, Runnable onClose) {
        this.onClose = onClose;
        sources = newestFirst.toArray(Source[]::new);
        there = new boolean[sources.length];
        sign = direction == Direction.FORWARD ? 1 : -1;
        left = limit;
    }

    @Override
    public boolean next() {
        if (left == 0) {
            shown = NONE;
            return false;
        }
        if (!started) {
            started = true;
            for (int i = 0; i < sources.length; i++) {
                there[i] = sources[i].next();
            }
        } else if (shown != NONE) {
            stepBeyond(shown);
        }
        return show();
    }

    @Override
    public boolean seek(Bytes target) {
        if (left == 0 || (shown != NONE && !isBefore(shown, target))) {
            return next();
        }
        for (int i = 0; i < sources.length; i++) {
            if (!started || (there[i] && isBefore(i, target))) {
                there[i] = sources[i].seek(target);
            }
        }
        started = true;
        return show();
    }

    private boolean isBefore(int source, Bytes target) {
        return sign * sources[source].keySlice().compareWith(target) < 0;
    }

    /** Shows the first row at or behind where the sources stand that is no delete. */
    private boolean show() {
        key = null;
        value = null;
        for (int first = first(); first != NONE; first = first()) {
            if (!sources[first].isDelete()) {
                shown = first;
                left--;
                return true;
            }
            stepBeyond(first);
        }
        shown = NONE;
        return false;
    }

    /** The newest source among those with the first key. */
    private int first() {
        int first = NONE;
        for (int i = 0; i < sources.length; i++) {
            if (there[i]
                    && (first == NONE || sign * sources[i].keySlice().compareWith(sources[first].keySlice()) < 0)) {
                first = i;
            }
        }
        return first;
    }

    /** Moves the source on, and with it the older ones that stand on the same key. */
    private void stepBeyond(int source) {
        for (int i = source + 1; i < sources.length; i++) {
            if (there[i] && sources[i].keySlice().compareWith(sources[source].keySlice()) == 0) {
                there[i] = sources[i].next();
            }
        }
        there[source] = sources[source].next();
    }

    @Override
    public Bytes key() {
        Bytes known = key;
        if (known == null) {
            known = sources[shown].key();
            key = known;
        }
        return known;
    }

    @Override
    public Bytes value() {
        Bytes known = value;
        if (known == null) {
            known = sources[shown].value();
            value = known;
        }
        return known;
    }

    @Override
    public ByteSlice keySlice() {
        return sources[shown].keySlice();
    }

    @Override
    public ByteSlice valueSlice() {
        return sources[shown].valueSlice();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (Source source : sources) {
                source.close();
            }
            onClose.run();
        }
    }
}
