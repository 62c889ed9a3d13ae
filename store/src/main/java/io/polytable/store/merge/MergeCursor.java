package io.polytable.store.merge;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A merging cursor over sources ordered from newest to oldest: the newest row of a key wins. The source of the current
 * row stays on it until the next step, so the row is read in place, without a copy.
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

    /** The source of the current row. */
    private int shown = NONE;

    /** The current row's, decoded on first use: many callers ask twice. */
    private @Nullable Bytes key;

    private @Nullable Bytes value;

    /** @param onClose releases what the sources read from */
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

    /** Moves to the first row at or after the sources' positions that is not a delete. */
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

    /** The newest of the sources that stand on the smallest key. */
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

    /** Advances the source, and all older sources that stand on the same key. */
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
