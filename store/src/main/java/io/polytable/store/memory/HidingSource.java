package io.polytable.store.memory;

import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;

/** The state's rows without those that a pending range delete covers. */
final class HidingSource implements Source {
    private final Source source;
    private final RangeTombstones pending;

    HidingSource(Source source, RangeTombstones pending) {
        this.source = source;
        this.pending = pending;
    }

    @Override
    public boolean next() {
        return unhidden(source.next());
    }

    @Override
    public boolean seek(Bytes key) {
        return unhidden(source.seek(key));
    }

    private boolean unhidden(boolean any) {
        boolean there = any;
        while (there && pending.covers(source.key())) {
            there = source.next();
        }
        return there;
    }

    @Override
    public Bytes key() {
        return source.key();
    }

    @Override
    public ByteSlice keySlice() {
        return source.keySlice();
    }

    @Override
    public boolean isDelete() {
        return source.isDelete();
    }

    @Override
    public Bytes value() {
        return source.value();
    }

    @Override
    public ByteSlice valueSlice() {
        return source.valueSlice();
    }

    @Override
    public void close() {
        source.close();
    }
}
