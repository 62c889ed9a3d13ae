package io.polytable.table;

/** A cursor over rows with deadlines: skips expired rows and strips the {@link Deadline} from the values of others. */
final class ExpiringCursor implements Cursor {
    private final Cursor stored;
    private final long nowMillis;
    private final ByteSlice value = new ByteSlice();
    private long left;

    /** @param stored a cursor without a limit, since the number of expired rows is unknown */
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
