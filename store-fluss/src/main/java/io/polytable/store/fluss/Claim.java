package io.polytable.store.fluss;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes the log over. Why it is right:
 *
 * <ul>
 *   <li>The claim must land at the offset that was read before anything else was looked at. So between that reading and
 *       the claim nobody wrote: no other claim of the same epoch, no renewal of a lease that was found to have run out.
 *   <li>A former owner has one write on its way at most, and expects it at its last offset. If that lands behind the
 *       claim, it was expected at the claim's offset or later: so "expected before the claim's offset" tells the log's
 *       rows from those that came too late, without reading the order of the bucket.
 *   <li>Rows that were looked at and found missing may still come; the confirmation says once and for all that they are
 *       not in the log.
 *   <li>Two who meet here disturb each other's offsets; each waits for a random time and tries again.
 * </ul>
 */
final class Claim {
    private static final long PAUSE_MILLIS_MAX = 200;

    private final LogTable table;
    private final FlussLogOptions options;
    private final long deadlineNanos;
    private long watchedOffset = -1;
    private long unmovedSinceNanos;

    private Claim(LogTable table, FlussLogOptions options) {
        this.table = table;
        this.options = options;
        this.deadlineNanos = System.nanoTime() + options.claimMax().toNanos();
    }

    /** The log is ours. */
    record Won(Chain chain, Span own, long nextOffset) {}

    static Won win(LogTable table, FlussLogOptions options) {
        return new Claim(table, options).run();
    }

    private Won run() {
        while (true) {
            Optional<Won> won = attempt();
            if (won.isPresent()) {
                return won.get();
            }
            if (System.nanoTime() > deadlineNanos) {
                throw FlussFault.contested(table.name());
            }
            pause(ThreadLocalRandom.current().nextLong(1, PAUSE_MILLIS_MAX));
        }
    }

    private Optional<Won> attempt() {
        long offset = table.latestOffset();
        Optional<Lease.Note> note = table.read(LogKey.LEASE).map(row -> Lease.Note.decode(row.body()));
        long newest = newestClaimed(note.map(Lease.Note::epoch).orElse(0L));
        if (newest > 0 && note.isPresent() && !isFree(note.get(), newest, offset)) {
            if (System.nanoTime() > deadlineNanos) {
                throw FlussFault.owned(table.name(), note.get().owner());
            }
            return Optional.empty();
        }
        long epoch = newest + 1;
        long owner = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        return claims(epoch, owner, offset) ? confirmed(epoch, owner, offset) : Optional.empty();
    }

    /** Epochs are claimed one after the other, so the first that is missing ends the search. */
    private long newestClaimed(long known) {
        long newest = known;
        while (table.read(LogKey.claim(newest + 1)).isPresent()) {
            newest++;
        }
        return newest;
    }

    private boolean isFree(Lease.Note note, long newest, long offset) {
        boolean current = note.epoch() == newest;
        if (current && (!note.held() || options.formerOwner().equals(Optional.of(note.owner())))) {
            return true;
        }
        long now = System.nanoTime();
        if (offset != watchedOffset) {
            watchedOffset = offset;
            unmovedSinceNanos = now;
            return false;
        }
        return now - unmovedSinceNanos > Duration.ofMillis(note.millis()).toNanos();
    }

    private boolean claims(long epoch, long owner, long offset) {
        LogRow claim = LogRow.note(LogKey.claim(epoch), offset, ownerBytes(owner));
        if (!landsAt(offset, claim)) {
            return false;
        }
        // Whoever claims later must see this claim, and we every row before it: both hold as soon as it can be read.
        Optional<LogRow> seen = table.read(claim.key());
        while (seen.isEmpty() && System.nanoTime() < deadlineNanos) {
            pause(1);
            seen = table.read(claim.key());
        }
        return seen.isPresent() && ownerOf(seen.get()) == owner;
    }

    private boolean landsAt(long offset, LogRow row) {
        return table.cluster().await(table.write(row)) == offset + 1;
    }

    private Optional<Won> confirmed(long epoch, long owner, long claimOffset) {
        Chain chain = options.anew()
                .map(start -> Chain.begin(
                        newIncarnation(), new Chain.Start(start.position(), start.ticket()), start.checkpoint()))
                .orElseGet(() -> chainBefore(epoch, claimOffset));
        LogRow confirmation = LogRow.note(LogKey.confirmation(epoch, owner), claimOffset + 1, chain.encode());
        Lease.Note note = new Lease.Note(epoch, owner, true, options.lease().toMillis());
        LogRow lease = LogRow.note(LogKey.LEASE, claimOffset + 2, note.encode());
        if (!landsAt(claimOffset + 1, confirmation) || !landsAt(claimOffset + 2, lease)) {
            return Optional.empty();
        }
        return Optional.of(new Won(chain, chain.next(epoch, owner), claimOffset + 3));
    }

    private static long newIncarnation() {
        return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    }

    /** The log as the last owner that confirmed its claim left it. */
    private Chain chainBefore(long epoch, long claimOffset) {
        for (long former = epoch - 1; former > 0; former--) {
            LogKey claim = LogKey.claim(former);
            long owner = ownerOf(table.read(claim).orElseThrow(() -> FlussFault.missing(claim)));
            Optional<LogRow> confirmation = table.read(LogKey.confirmation(former, owner));
            if (confirmation.isPresent() && confirmation.get().offset() < claimOffset) {
                return withRowsOf(Chain.decode(confirmation.get().body()), former, owner, claimOffset);
            }
        }
        return Chain.begin(newIncarnation(), Chain.Start.NOTHING, 0);
    }

    private Chain withRowsOf(Chain before, long epoch, long owner, long claimOffset) {
        Optional<Floor> floor = table.read(LogKey.floor(epoch, owner)).map(row -> Floor.decode(row.body()));
        Span span = before.next(epoch, owner);
        boolean floorInside = floor.isPresent() && floor.get().key().epoch() == epoch;
        if (floorInside) {
            span = span.from(floor.get());
        }
        Span whole = new SpanEnd(table, claimOffset).of(span);
        if (floorInside) {
            return new Chain(before.incarnation(), before.start(), floor.get().checkpoint(), List.of(whole));
        }
        Chain chain = before.with(whole);
        return floor.map(chain::from).orElse(chain);
    }

    private static byte[] ownerBytes(long owner) {
        return ByteBuffer.allocate(Long.BYTES).putLong(owner).array();
    }

    private static long ownerOf(LogRow claim) {
        return ByteBuffer.wrap(claim.body()).getLong();
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
