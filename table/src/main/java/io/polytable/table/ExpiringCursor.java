package io.polytable.table;

/** Rows with a {@link Deadline} in front of their values: hides those that are over, and takes the deadline off the others. */
final class ExpiringCursor implements Cursor {
    private final Cursor stored;
    private final long nowMillis;
    private final ByteSlice value = new ByteSlice();
    private long left;

    /** @param stored without a limit, since nobody knows how many rows are over */
    ExpiringCursor(Cursor stored, long nowMillis, long limit) {
        this.stored = stored;
        this.nowMillis = nowMillis;
        left = limit;
    }

    @Override
    public boolean next() {
        return left > 0 && show(stored.next());
    }

    @Override
    public boolean seek(Bytes key) {
        return left > 0 && show(stored.seek(key));
    }

    private boolean show(boolean there) {
        boolean found = there;
        while (found && Deadline.isOver(Deadline.of(stored.valueSlice()), nowMillis)) {
            found = stored.next();
        }
        left -= found ? 1 : 0;
        return found;
    }

    @Override
    public Bytes key() {
        return stored.key();
    }

    @Override
    public Bytes value() {
        return stored.value().from(Deadline.BYTES);
    }

    @Override
    public ByteSlice keySlice() {
        return stored.keySlice();
    }

    @Override
    public ByteSlice valueSlice() {
        ByteSlice whole = stored.valueSlice();
        return value.set(whole.array(), whole.offset() + Deadline.BYTES, whole.length() - Deadline.BYTES);
    }

    @Override
    public void close() {
        stored.close();
    }
}
