package io.polytable.hbase.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the answers of one connection hold until they are sent. They are bounded for the connection, so that a client that
 * does not read holds up itself, and for all connections together.
 */
final class UnsentAnswers {
    static final String NOT_READ = "The answers that this connection has not read take all memory that they may take";
    static final String NO_ROOM =
            "The answers that are not sent yet take all memory that they may take, try again later";

    /** How many connections it takes to fill the memory of all. */
    private static final int PARTS = 4;

    /** Such an answer always leaves: what a write has done is told, whoever else does not read. */
    private static final int SMALL_BYTES = 16 << 10;

    private final CallMemory all;
    private final CallMemory own;
    private final AtomicLong sent = new AtomicLong();

    UnsentAnswers(CallMemory all) {
        this.all = all;
        own = new CallMemory(all.bytesMax() / PARTS);
    }

    /** Whether this connection has to read before it may call again. */
    boolean areTooMany() {
        return own.isFull();
    }

    /** Takes memory for an answer, of any size, unless earlier ones have passed a bound. */
    boolean tryTake(int bytes) {
        if (bytes <= SMALL_BYTES) {
            take(bytes);
            return true;
        }
        if (!own.takeUnlessFull(bytes)) {
            return false;
        }
        if (!all.takeUnlessFull(bytes)) {
            own.release(bytes);
            return false;
        }
        return true;
    }

    void take(int bytes) {
        own.take(bytes);
        all.take(bytes);
    }

    /** The answer is sent, or never will be. */
    void release(int bytes) {
        own.release(bytes);
        all.release(bytes);
        sent.addAndGet(bytes);
    }

    boolean isEmpty() {
        return own.used() == 0;
    }

    /** The bytes of all answers that were sent whole. */
    long sent() {
        return sent.get();
    }
}
