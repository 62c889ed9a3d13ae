package io.polytable.store.fluss.ownership;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The claims in a log's table. Epochs are claimed one after the other; each has at most one valid claim, and any number
 * of void ones.
 */
public final class ClaimHistory {
    private static final int VERSION = 2;

    private final LogRows rows;

    public ClaimHistory(LogRows rows) {
        this.rows = rows;
    }

    /** The claim row of the epoch for the owner in its key; valid only if it lands at the offset. */
    static LogRow claim(LogKey key, long offset) {
        return LogRow.control(
                key, offset, ByteBuffer.allocate(Integer.BYTES).putInt(VERSION).array());
    }

    /** The highest claimed epoch, given one that was claimed, or 0. */
    long newest(long claimed) {
        long newest = claimed;
        while (!claims(newest + 1).isEmpty()) {
            newest++;
        }
        return newest;
    }

    /** Valid and void claims of the epoch. */
    List<LogRow> claims(long epoch) {
        List<LogKey> keys = new ArrayList<>();
        rows.candidates(epoch).forEach(owner -> keys.add(LogKey.claim(epoch, owner)));
        keys.add(LogKey.claimOfVersion1(epoch));
        return rows.readAll(keys).stream().flatMap(Optional::stream).toList();
    }

    /**
     * Whether a claim of a later epoch may have landed at or after the offset. A claim that expected a lower offset is
     * void: the caller knows that something else landed there.
     */
    boolean isClaimedSince(long offset, long epoch) {
        List<LogRow> claims = claims(epoch + 1);
        for (long later = epoch + 1; !claims.isEmpty(); claims = claims(++later)) {
            if (claims.stream().anyMatch(claim -> claim.offset() >= offset)) {
                return true;
            }
        }
        return false;
    }

    /** Whether no claim of a later epoch was confirmed. */
    boolean isLastConfirmed(long epoch, long newest) {
        return LongStream.rangeClosed(epoch + 1, newest)
                .noneMatch(later -> confirmation(later).isPresent());
    }

    /** The confirmation of the epoch's owner, if it got that far. */
    Optional<LogRow> confirmation(long epoch) {
        Optional<LogRow> first = rows.read(LogKey.claimOfVersion1(epoch));
        Stream<Long> owners =
                Stream.concat(rows.candidates(epoch).stream(), first.stream().flatMap(this::ownersOfVersion1));
        List<LogKey> keys = owners.distinct()
                .map(owner -> LogKey.confirmation(epoch, owner))
                .toList();
        return rows.readAll(keys).stream().flatMap(Optional::stream).findFirst();
    }

    /** In version 1 all claimants shared one row, so it may name the wrong one; then the lease may name the owner. */
    private Stream<Long> ownersOfVersion1(LogRow claim) {
        Stream<Long> named = Stream.of(ByteBuffer.wrap(claim.body()).getLong());
        Stream<Long> leased = rows.read(LogKey.LEASE).stream()
                .map(row -> LeaseRecord.decode(row.body()))
                .filter(note -> note.epoch() == claim.key().epoch())
                .map(LeaseRecord::owner);
        return Stream.concat(named, leased);
    }
}
