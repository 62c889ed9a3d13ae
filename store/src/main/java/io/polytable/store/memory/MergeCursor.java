package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.List;

/** Merges sources that are ordered from the newest to the oldest: of a key the newest row counts. */
public final class MergeCursor implements Cursor {
    private final Source[] sources;
    private final boolean[] there;
    private final int sign;
    private final Runnable onClose;
    private boolean closed;
    private long left;
    private Bytes key = Bytes.EMPTY;
    private Bytes value = Bytes.EMPTY;

    /** @param onClose lets go of what the sources show */
    public MergeCursor(List<? extends Source> newestFirst, Direction direction, long limit, Runnable onClose) {
        this.onClose = onClose;
        sources = newestFirst.toArray(Source[]::new);
        there = new boolean[sources.length];
        sign = direction == Direction.FORWARD ? 1 : -1;
        left = limit;
        try {
            for (int i = 0; i < sources.length; i++) {
                there[i] = sources[i].next();
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public boolean next() {
        while (left > 0) {
            int first = first();
            if (first < 0) {
                return false;
            }
            Source source = sources[first];
            Bytes candidate = source.key();
            boolean deleted = source.isDelete();
            if (!deleted) {
                key = candidate;
                value = source.value();
            }
            stepBeyond(candidate, first);
            if (!deleted) {
                left--;
                return true;
            }
        }
        return false;
    }

    /** The newest source among those with the first key. */
    private int first() {
        int first = -1;
        for (int i = 0; i < sources.length; i++) {
            if (there[i] && (first < 0 || sign * sources[i].key().compareTo(sources[first].key()) < 0)) {
                first = i;
            }
        }
        return first;
    }

    private void stepBeyond(Bytes passed, int from) {
        for (int i = from; i < sources.length; i++) {
            if (there[i] && (i == from || sources[i].key().equals(passed))) {
                there[i] = sources[i].next();
            }
        }
    }

    @Override
    public Bytes key() {
        return key;
    }

    @Override
    public Bytes value() {
        return value;
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
