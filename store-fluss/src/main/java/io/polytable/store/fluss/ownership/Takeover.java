package io.polytable.store.fluss.ownership;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Wins the ownership of a log. Why at most one server owns it, and loses nothing that a former owner acknowledged:
 *
 * <ul>
 *   <li>A claim is valid only if it lands at the offset that was read before anything else. Of all claims that expect one
 *       offset one can land there, so a claim that was delayed is void. Its row is the claimant's own: it hides no other.
 *   <li>Once a claim can be seen, so can every write before it. Another claim of the same epoch that expects a lower offset
 *       may be valid and was missed by a lagging read: then we give up.
 *   <li>A former owner has one write in flight. If that lands behind the claim, it was expected at the claim's offset or
 *       later, or it was displaced, and its owner sees the claim and does not acknowledge it.
 *   <li>A row that was looked for and not found may still land. The confirmation says once and for all which rows are in.
 *   <li>Nothing is acknowledged before confirmation and lease have landed right behind the claim. So an epoch without a
 *       confirmation acknowledged nothing, and is passed over.
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
     * What a claimant asks for.
     *
     * @param lease how long the new owner keeps others away when it falls silent
     * @param waitMax how long to wait for another owner to let go
     * @param anew where to begin anew, leaving behind whatever the table holds
     */
    public record Terms(Duration lease, Duration waitMax, Optional<Beginning> anew) {}

    /** A new log begins behind this, with that checkpoint, 0 for none. */
    public record Beginning(Chain.Start start, long checkpoint) {}

    private Takeover(LogRows rows, Terms terms, Environment environment) {
        this.rows = rows;
        this.history = new ClaimHistory(rows);
        this.terms = terms;
        this.environment = environment;
        this.leaseWatch = new LeaseWatch(environment);
        this.deadlineNanos = environment.nanoTime() + terms.waitMax().toNanos();
    }

    /** Tries until the log is won or the terms' time is over. */
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
            // Claimants that meet disturb each other's offsets; a random pause parts them.
            environment.pause(PAUSE_MILLIS_MAX);
        }
    }

    private boolean isLate() {
        return environment.nanoTime() > deadlineNanos;
    }

    private Optional<Ownership> attempt() {
        long offset = rows.latestOffset();
        Optional<LeaseNote> lease = rows.read(LogKey.LEASE).map(row -> LeaseNote.decode(row.body()));
        long newest = history.newest(lease.map(LeaseNote::epoch).orElse(0L));
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
        Chain chain = terms.anew()
                .map(from -> Chain.begin(environment.newNumber(), from.start(), from.checkpoint()))
                .orElseGet(() -> chainBefore(epoch, offset));
        LogRow confirmation = LogRow.control(LogKey.confirmation(epoch, owner), offset + 1, chain.encode());
        LeaseNote lease = new LeaseNote(epoch, owner, true, terms.lease().toMillis());
        if (!landsAt(offset + 1, confirmation) || !landsAt(offset + 2, lease.row(offset + 2))) {
            return Optional.empty();
        }
        return Optional.of(new Ownership(chain, chain.next(epoch, owner), offset + 3));
    }

    /** The log as the last owner that confirmed its claim left it. */
    private Chain chainBefore(long epoch, long claimOffset) {
        for (long former = epoch - 1; former > 0; former--) {
            if (history.claims(former).isEmpty()) {
                throw OwnershipFault.missing(LogKey.claimOfVersion1(former));
            }
            Optional<LogRow> confirmation = history.confirmation(former).filter(row -> row.offset() < claimOffset);
            if (confirmation.isPresent()) {
                return withRowsOf(confirmation.get(), claimOffset);
            }
        }
        return Chain.begin(environment.newNumber(), Chain.Start.NOTHING, 0);
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
