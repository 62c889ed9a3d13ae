package io.polytable.table;

/**
 * An iterator over the rows of a range, in key order of its {@link Direction}.
 *
 * <ul>
 *   <li>It reads a snapshot taken when it was opened.
 *   <li>It starts before the first row: call {@link #next()} or {@link #seek} first. Keys and values stay valid after
 *       the next step and after close; slices do not.
 *   <li>It pins resources of the engine: close it soon. Not thread safe.
 * </ul>
 */
public interface Cursor extends AutoCloseable {
    boolean next();

    /**
     * Moves forward to the next row whose key is at or after the given one in the cursor's direction (at or below it
     * for {@link Direction#REVERSE}), and returns whether there is one. It never moves back: with a key that is not
     * ahead it equals {@link #next()}. Skipped rows do not count towards the limit.
     */
    boolean seek(Bytes key);

    Bytes key();

    Bytes value();

    /**
     * The key without a copy, valid until the next step. For readers of many rows: an engine's cursor allocates nothing
     * for it. Call it again for each row.
     */
    default ByteSlice keySlice() {
        return new ByteSlice().set(key());
    }

    /** The value without a copy, valid until the next step. A value that is not requested is not read. */
    default ByteSlice valueSlice() {
        return new ByteSlice().set(value());
    }

    @Override
    void close();
}
