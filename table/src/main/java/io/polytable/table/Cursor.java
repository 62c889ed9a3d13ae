package io.polytable.table;

/**
 * A walk over the rows of a range, in key order of its {@link Direction}.
 *
 * <ul>
 *   <li>It sees the rows as they were when it was opened, whatever is written meanwhile.
 *   <li>It starts before the first row: call {@link #next()} first. Key and value stay valid after the next step and
 *       after close.
 *   <li>It holds resources of the engine: close it, soon. One thread at a time.
 * </ul>
 */
public interface Cursor extends AutoCloseable {
    boolean next();

    Bytes key();

    Bytes value();

    @Override
    void close();
}
