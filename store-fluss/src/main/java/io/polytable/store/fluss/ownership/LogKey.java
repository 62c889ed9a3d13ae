package io.polytable.store.fluss.ownership;

/**
 * The key of a row in the log's table. Rows 1, 2, 3 ... of an owner contain records. The others are control rows:
 *
 * <pre>
 * 0     0      0    the lease: the present or last owner
 * epoch owner -2    a claim of the epoch
 * epoch owner  0    the confirmation of that claim, with the chain of all rows that make up the log
 * epoch owner -1    the floor: rows below it are removed, or may be at any time
 * epoch 0      0    a claim of version 1, one row for all claimants; read, no longer written
 * </pre>
 *
 * @param epoch counts claims, dense from 1
 * @param owner a random number of the claimant, so that no two servers write the same row, except for the lease
 */
public record LogKey(long epoch, long owner, long seq) {
    public static final LogKey LEASE = new LogKey(0, 0, 0);

    private static final long CONFIRMATION = 0;
    private static final long FLOOR = -1;
    private static final long CLAIM = -2;

    public static LogKey claim(long epoch, long owner) {
        return new LogKey(epoch, owner, CLAIM);
    }

    static LogKey claimOfVersion1(long epoch) {
        return new LogKey(epoch, 0, 0);
    }

    public static LogKey confirmation(long epoch, long owner) {
        return new LogKey(epoch, owner, CONFIRMATION);
    }

    public static LogKey floor(long epoch, long owner) {
        return new LogKey(epoch, owner, FLOOR);
    }

    public LogKey next() {
        return new LogKey(epoch, owner, seq + 1);
    }

    @Override
    public String toString() {
        return epoch + "/" + Long.toHexString(owner) + "/" + seq;
    }
}
