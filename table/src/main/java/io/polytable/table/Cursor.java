package io.polytable.table;

/**
 * A walk over the rows of a range, in key order of its {@link Direction}.
 *
 * <ul>
 *   <li>It sees the rows as they were when it was opened, whatever is written meanwhile.
 *   <li>It starts before the first row: call {@link #next()} or {@link #seek} first. Key and value stay valid after the
 *       next step and after close; slices do not.
 *   <li>It holds resources of the engine: close it, soon. One thread at a time.
 * </ul>
 */
public interface Cursor extends AutoCloseable {
    boolean next();

    /**
     * Skips: moves on to the next row whose key is at the given one or beyond it, in the cursor's direction (so at or
     * below it for {@link Direction#REVERSE}), and answers whether there is one. It never goes back: with a key that is
     * not ahead this is {@link #next()}. Rows that are passed over do not count towards the limit.
     */
    boolean seek(Bytes key);

    Bytes key();

    Bytes value();

    /**
     * The key where it lies, valid until the next step: for readers of many rows, since an engine's cursor
     * allocates nothing for it. Ask anew for each row.
     */
    default ByteSlice keySlice() {
        return new ByteSlice().set(key());
    }

    /** The value where it lies, valid until the next step. A value that nobody asks for is not copied. */
    default ByteSlice valueSlice() {
        return new ByteSlice().set(value());
    }

    @Override
    void close();
}
