package io.polytable.hbase.wire;

import io.polytable.frontend.limit.Budget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The output buffer budget of one connection. It limits the unsent responses of the connection, so that a client that
 * does not read only blocks itself, and of all connections together.
 */
final class OutputBudget {
    static final String NOT_READ = "The answers that this connection has not read take all memory that they may take";
    static final String NO_ROOM =
            "The answers that are not sent yet take all memory that they may take, try again later";

    /** How many connections can fill the budget of all. */
    private static final int PARTS = 4;

    /**
     * A response of this size is always sent: a client must learn the outcome of its write even if others do not read.
     */
    private static final int SMALL_BYTES = 16 << 10;

    private final Budget all;
    private final Budget own;
    private final AtomicLong sent = new AtomicLong();

    OutputBudget(Budget all) {
        this.all = all;
        own = all.part(PARTS);
    }

    /** Whether this client must read responses before it may call again. */
    boolean isFull() {
        return own.isFull();
    }

    /** Takes the bytes of a response of any size, unless earlier ones exceed a budget. */
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

    /** The response was sent, or never will be. */
    void release(int bytes) {
        own.release(bytes);
        all.release(bytes);
        sent.addAndGet(bytes);
    }

    boolean isEmpty() {
        return own.heldBytes() == 0;
    }

    /** The bytes of all responses sent completely. */
    long sent() {
        return sent.get();
    }
}
