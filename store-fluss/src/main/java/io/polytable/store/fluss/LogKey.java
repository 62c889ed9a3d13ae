package io.polytable.store.fluss;

/**
 * The key of a row in the log's table. Rows 1, 2, 3 ... of an owner hold groups. The others:
 *
 * <pre>
 * 0     0      0    who owns the log, or did
 * epoch 0      0    the epoch is claimed
 * epoch owner  0    the owner confirms its claim; the chain of all rows that are the log
 * epoch owner -1    rows below this are gone, or may go at any time
 * </pre>
 *
 * @param epoch counts claims, dense from 1
 * @param owner a number the claimant made up, so that two who claim one epoch never write the same row
 */
record LogKey(long epoch, long owner, long seq) {
    static final LogKey LEASE = new LogKey(0, 0, 0);

    static LogKey claim(long epoch) {
        return new LogKey(epoch, 0, 0);
    }

    static LogKey confirmation(long epoch, long owner) {
        return new LogKey(epoch, owner, 0);
    }

    static LogKey floor(long epoch, long owner) {
        return new LogKey(epoch, owner, -1);
    }

    LogKey next() {
        return new LogKey(epoch, owner, seq + 1);
    }

    @Override
    public String toString() {
        return epoch + "/" + Long.toHexString(owner) + "/" + seq;
    }
}
