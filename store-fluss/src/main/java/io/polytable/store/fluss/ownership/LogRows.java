package io.polytable.store.fluss.ownership;

import java.util.List;
import java.util.Optional;

/**
 * The table of one log: rows by key in one bucket, which gives every write an offset. Callers rely on this:
 *
 * <ul>
 *   <li>Writes and removals get consecutive offsets, in one order for all servers.
 *   <li>Reads may lag behind the offsets. But they show writes in the order of their offsets, and monotonically: once a
 *       row is visible, every row with a lower offset is.
 *   <li>A write whose response is lost may still land, at any later time.
 * </ul>
 */
public interface LogRows {
    String name();

    /** A lower bound of the next write's offset; exact if nobody else writes. */
    long latestOffset();

    Optional<LogRow> read(LogKey key);

    /** The rows of these keys, in their order. Not a snapshot: each is read separately. */
    List<Optional<LogRow>> readAll(List<LogKey> keys);

    /** Writes the rows in order; returns the offset after the last. Others' writes may land in between. */
    long write(List<LogRow> rows);

    /** Removes rows; returns the offset after the last removal. */
    long remove(List<LogKey> keys);

    /** Announces a claimant: once this returns, every later {@link #candidates} includes it. */
    void announce(long epoch, long owner);

    /** All servers that may have claimed the epoch. */
    List<Long> candidates(long epoch);
}
