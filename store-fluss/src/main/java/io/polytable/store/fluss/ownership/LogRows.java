package io.polytable.store.fluss.ownership;

import java.util.List;
import java.util.Optional;

/**
 * The table of one log: rows by key in one bucket, which gives every write an offset. What callers rely on:
 *
 * <ul>
 *   <li>Writes and removals get consecutive offsets, in one order for all servers.
 *   <li>Reads may lag behind the offsets. But they see writes in the order of their offsets, and what was seen once stays:
 *       who sees a row sees every row with a lower offset from then on.
 *   <li>A write whose answer is lost may still land, at any later time.
 * </ul>
 */
public interface LogRows {
    String name();

    /** The offset that the next write gets if nobody else writes; never above it. */
    long latestOffset();

    Optional<LogRow> read(LogKey key);

    /** The rows under these keys, in their order. Not one moment: each is read by itself. */
    List<Optional<LogRow>> readAll(List<LogKey> keys);

    /** Writes the rows in their order; answers the offset behind the last. Others' writes may land in between. */
    long write(List<LogRow> rows);

    /** Removes rows; answers the offset behind the last removal. */
    long remove(List<LogKey> keys);

    /** Makes a claimant known: once this returns, every later {@link #candidates} has it. */
    void announce(long epoch, long owner);

    /** Everybody who may have claimed the epoch. */
    List<Long> candidates(long epoch);
}
