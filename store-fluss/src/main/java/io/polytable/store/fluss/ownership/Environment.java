package io.polytable.store.fluss.ownership;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A claimant's inputs besides the table: time, randomness, and which owner is known to be dead. */
public interface Environment {
    long nanoTime();

    /** The present by both clocks; a claimant uses the monotonic one alone, which makes it wait longer. */
    default Moment now() {
        long nanos = nanoTime();
        return new Moment(nanos, TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    /** Sleeps for a random time up to this. */
    void pause(long millisMax);

    /** A unique positive number. */
    long newNumber();

    /** Whether this owner's process has certainly ended, so that its lease need not be waited for. */
    boolean isDead(long owner);

    /** The system's clock and randomness, and an owner that is known to be dead. */
    static Environment system(Optional<Long> formerOwner) {
        return new Environment() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Moment now() {
                return new Moment(System.nanoTime(), System.currentTimeMillis());
            }

            @Override
            public void pause(long millisMax) {
                long nanosMax = TimeUnit.MILLISECONDS.toNanos(millisMax);
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(nanosMax / 2, nanosMax));
            }

            @Override
            public long newNumber() {
                return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
            }

            @Override
            public boolean isDead(long owner) {
                return formerOwner.equals(Optional.of(owner));
            }
        };
    }
}
