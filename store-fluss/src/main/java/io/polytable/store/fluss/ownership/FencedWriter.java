package io.polytable.store.fluss.ownership;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of an epoch's owner, with fencing: one write in flight at a time, which counts only if no claim of a later
 * epoch landed before it. The first write that does not count ends the ownership. Not thread-safe.
 */
public final class FencedWriter {
    private static final Logger LOG = LoggerFactory.getLogger(FencedWriter.class);

    private final LogRows rows;
    private final ClaimHistory history;
    private final Environment environment;
    private final Duration visibleMax;
    private final long epoch;
    private long expected;

    /**
     * The writer of an owner.
     *
     * @param visibleMax how long a write may take to become visible to reads
     */
    public FencedWriter(LogRows rows, Ownership ownership, Environment environment, Duration visibleMax) {
        this.rows = rows;
        this.history = new ClaimHistory(rows);
        this.environment = environment;
        this.visibleMax = visibleMax;
        this.epoch = ownership.own().epoch();
        this.expected = ownership.nextOffset();
    }

    /** The offset that the next write must get; no valid claim of a later epoch is below it. */
    public long expected() {
        return expected;
    }

    /**
     * Writes rows that expect consecutive offsets from {@link #expected} on; returns once they count.
     *
     * @throws io.polytable.table.StoreException if they may be too late: this owner was overtaken
     */
    public void write(List<LogRow> written) {
        LogRow last = written.get(written.size() - 1);
        settle(
                rows.write(written),
                written.size(),
                last.key(),
                seen -> seen.filter(row -> row.offset() == last.offset()).isPresent());
    }

    /** Removes rows, with the same guarantee. */
    public void remove(List<LogKey> removed) {
        settle(rows.remove(removed), removed.size(), removed.get(removed.size() - 1), Optional::isEmpty);
    }

    private void settle(long behind, int count, LogKey last, Predicate<Optional<LogRow>> isVisible) {
        if (behind != expected + count) {
            requireNotOvertaken(behind, last, isVisible);
        }
        expected = behind;
    }

    /**
     * Another server wrote to the table. A void claim or a former owner's last write is harmless, a valid claim is not.
     * A claim that landed before our write is visible as soon as our write is.
     */
    private void requireNotOvertaken(long behind, LogKey last, Predicate<Optional<LogRow>> isVisible) {
        long deadline = environment.nanoTime() + visibleMax.toNanos();
        while (!isVisible.test(rows.read(last))) {
            if (environment.nanoTime() > deadline) {
                throw OwnershipFault.overtaken(last, expected, behind);
            }
            environment.pause(1);
        }
        if (history.isClaimedSince(expected, epoch)) {
            throw OwnershipFault.overtaken(last, expected, behind);
        }
        LOG.warn("Another server wrote to the log in Fluss, too late to matter");
    }
}
