package io.polytable.store.memory;

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
        while (source.next()) {
            if (!pending.covers(source.key())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Bytes key() {
        return source.key();
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
    public void close() {
        source.close();
    }
}
