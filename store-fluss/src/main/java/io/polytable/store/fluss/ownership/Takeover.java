package io.polytable.store.fluss.ownership;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes over the ownership of a log. Why at most one server owns it, and nothing that a former owner acknowledged is
 * lost:
 *
 * <ul>
 *   <li>A claim is valid only if it lands at the offset that was read before anything else. Of all claims that expect
 *       one offset only one can land there, so a delayed claim is void. Each claimant has its own row, so claims do
 *       not hide each other.
 *   <li>Once a claim is visible, so is every write before it. If another claim of the same epoch expects a lower
 *       offset, it may be valid and was missed by a lagging read: then we give up.
 *   <li>A former owner has one write in flight. If it lands after the claim, it was expected at the claim's offset or
 *       later, or it was displaced; its owner then sees the claim and does not acknowledge the write.
 *   <li>A row that was looked for and not found may still land. The confirmation fixes once and for all which rows are
 *       in the log.
 *   <li>Nothing is acknowledged before confirmation and lease have landed right after the claim. So an epoch without a
 *       confirmation acknowledged nothing, and is skipped.
 * </ul>
 */
public final class Takeover {
    private static final long PAUSE_MILLIS_MAX = 200;

    private final LogRows rows;
    private final ClaimHistory history;
    private final Terms terms;
    private final Environment environment;
    private final LeaseWatch leaseWatch;
    private final long deadlineNanos;

    /**
     * The parameters of a takeover.
     *
     * @param lease how long the new owner keeps others away when it falls silent
     * @param waitMax how long to wait for another owner's lease to end
     * @param startOver where to start over, ignoring whatever the table holds
     */
    public record Terms(Duration lease, Duration waitMax, Optional<Beginning> startOver) {}

    /**
     * The start of a new log, and its checkpoint, 0 for none.
     *
     * @param after the epoch of the owner that found the table unused: if anybody owned it since, it is not started over
     */
    public record Beginning(Chain.Start start, long checkpoint, OptionalLong after) {}

    private Takeover(LogRows rows, Terms terms, Environment environment) {
        this.rows = rows;
        this.history = new ClaimHistory(rows);
        this.terms = terms;
        this.environment = environment;
        this.leaseWatch = new LeaseWatch(environment);
        this.deadlineNanos = environment.nanoTime() + terms.waitMax().toNanos();
    }

    /** Tries until the log is won or {@code waitMax} has passed. */
    public static Ownership win(LogRows rows, Terms terms, Environment environment) {
        return new Takeover(rows, terms, environment).run();
    }

    private Ownership run() {
        while (true) {
            Optional<Ownership> won = attempt();
            if (won.isPresent()) {
                return won.get();
            }
            if (isLate()) {
                throw OwnershipFault.contested(rows.name());
            }
            // Concurrent claimants invalidate each other's offsets; a random pause separates them.
            environment.pause(PAUSE_MILLIS_MAX);
        }
    }

    private boolean isLate() {
        return environment.nanoTime() > deadlineNanos;
    }

    private Optional<Ownership> attempt() {
        long offset = rows.latestOffset();
        Optional<LeaseRecord> lease = rows.read(LogKey.LEASE).map(row -> LeaseRecord.decode(row.body()));
        long newest = history.newest(lease.map(LeaseRecord::epoch).orElse(0L));
        if (lease.isPresent()
                && !leaseWatch.isFree(
                        lease.get(), history.isLastConfirmed(lease.get().epoch(), newest), offset)) {
            if (isLate()) {
                throw OwnershipFault.owned(rows.name(), lease.get().owner());
            }
            return Optional.empty();
        }
        LogKey claim = LogKey.claim(newest + 1, environment.newNumber());
        return claims(claim, offset) ? confirmed(claim, offset) : Optional.empty();
    }

    private boolean claims(LogKey claim, long offset) {
        rows.announce(claim.epoch(), claim.owner());
        if (!landsAt(offset, ClaimHistory.claim(claim, offset))) {
            return false;
        }
        while (rows.read(claim).isEmpty()) {
            if (isLate()) {
                return false;
            }
            environment.pause(1);
        }
        return history.claims(claim.epoch()).stream().noneMatch(other -> other.offset() < offset);
    }

    private boolean landsAt(long offset, LogRow row) {
        return rows.write(List.of(row)) == offset + 1;
    }

    private Optional<Ownership> confirmed(LogKey claim, long offset) {
        long epoch = claim.epoch();
        long owner = claim.owner();
        Chain chain =
                terms.startOver().map(from -> begun(from, claim, offset)).orElseGet(() -> chainBefore(epoch, offset));
        LogRow confirmation = LogRow.control(LogKey.confirmation(epoch, owner), offset + 1, chain.encode());
        LeaseRecord lease = new LeaseRecord(epoch, owner, true, terms.lease().toMillis());
        if (!landsAt(offset + 1, confirmation)) {
            return Optional.empty();
        }
        Moment leasedAt = environment.now();
        if (!landsAt(offset + 2, lease.row(offset + 2))) {
            return Optional.empty();
        }
        return Optional.of(new Ownership(chain, chain.next(epoch, owner), offset + 3, leasedAt));
    }

    private Chain begun(Beginning from, LogKey claim, long claimOffset) {
        if (from.after().isPresent()) {
            Optional<LogRow> last = lastConfirmation(claim.epoch(), claimOffset);
            if (last.isEmpty() || last.get().key().epoch() != from.after().getAsLong()) {
                // The claim stays without a confirmation, so the next owner passes it over.
                throw OwnershipFault.used(rows.name());
            }
        }
        return Chain.begin(environment.newNumber(), from.start(), from.checkpoint());
    }

    /** The log as left by the last owner that confirmed its claim. */
    private Chain chainBefore(long epoch, long claimOffset) {
        return lastConfirmation(epoch, claimOffset)
                .map(confirmation -> withRowsOf(confirmation, claimOffset))
                .orElseGet(() -> Chain.begin(environment.newNumber(), Chain.Start.NOTHING, 0));
    }

    /** The confirmation of the last owner before the epoch. */
    private Optional<LogRow> lastConfirmation(long epoch, long claimOffset) {
        for (long former = epoch - 1; former > 0; former--) {
            if (history.claims(former).isEmpty()) {
                throw OwnershipFault.missing(LogKey.claimOfVersion1(former));
            }
            Optional<LogRow> confirmation = history.confirmation(former).filter(row -> row.offset() < claimOffset);
            if (confirmation.isPresent()) {
                return confirmation;
            }
        }
        return Optional.empty();
    }

    private Chain withRowsOf(LogRow confirmation, long claimOffset) {
        Chain before = Chain.decode(confirmation.body());
        long epoch = confirmation.key().epoch();
        long owner = confirmation.key().owner();
        Optional<Floor> floor = rows.read(LogKey.floor(epoch, owner)).map(row -> Floor.decode(row.body()));
        RowSpan span = before.next(epoch, owner);
        boolean floorInside = floor.isPresent() && floor.get().key().epoch() == epoch;
        if (floorInside) {
            span = span.from(floor.get());
        }
        RowSpan whole = new SpanEndSearch(rows, claimOffset).complete(span);
        if (floorInside) {
            return new Chain(before.incarnation(), before.start(), floor.get().checkpoint(), List.of(whole));
        }
        Chain chain = before.with(whole);
        return floor.map(chain::from).orElse(chain);
    }
}
