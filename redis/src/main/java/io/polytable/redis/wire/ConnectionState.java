package io.polytable.redis.wire;

/**
 * The state machine of a connection: what it does or waits for. Confined to its own event loop.
 *
 * <pre>
 *              suspend(...)                          resume(ticket)
 *   RUNNING ----------------> YIELDED, CLIENT_SLOW, ----------------> RUNNING
 *                             CROWDED, STORE_FULL, PAUSED,
 *                             BLOCKED, ANSWER_PENDING
 *
 *   any of these --- close() ----> CLOSING --- disconnected() ---> CLOSED
 *                --- refuse() ---> REFUSED --- disconnected() ---> CLOSED
 * </pre>
 *
 * A wake-up carries the ticket of its suspension, so a late one, for a suspension that has ended, has no effect. What a
 * client may call (subscriber mode, MONITOR, MULTI) is a state of its {@code Session}, not of the connection: such a
 * connection is RUNNING, and is suspended like any other.
 */
final class ConnectionState {
    /** The phases; the last ones are final. Some suspended phases keep a request that could not run. */
    enum Phase {
        /** Runs requests as they arrive. */
        RUNNING(false),
        /** Has run its share of this turn; lets the other connections of the loop run. */
        YIELDED(true),
        /** The client does not read its replies. */
        CLIENT_SLOW(true),
        /** The output budget of all clients is scarce, and this client has unread replies. */
        CROWDED(true),
        /** The store has no space for writes: back-pressure. */
        STORE_FULL(true),
        /** CLIENT PAUSE holds the request. */
        PAUSED(true),
        /** The request waits for its keys; the writer of a key answers it. */
        BLOCKED(false),
        /** The request has run, and its reply is computed asynchronously. */
        ANSWER_PENDING(false),
        /** No further request runs; closes when all replies are sent. */
        CLOSING(false),
        /** Answered an error that ends the connection; discards a little input, then closes. */
        REFUSED(false),
        /** The channel is closed. */
        CLOSED(false);

        private final boolean keepsRequest;

        Phase(boolean keepsRequest) {
            this.keepsRequest = keepsRequest;
        }
    }

    private Phase phase = Phase.RUNNING;
    private long ticket;
    private boolean inputEnded;

    Phase phase() {
        return phase;
    }

    boolean is(Phase asked) {
        return phase == asked;
    }

    boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    /** Whether no request will ever run again. */
    boolean isOver() {
        return phase.compareTo(Phase.CLOSING) >= 0;
    }

    /** Whether a request waits, but not for its client: such a client is not idle. */
    boolean owesAnswer() {
        return !isRunning() && !isOver() && phase != Phase.CLIENT_SLOW && phase != Phase.CROWDED;
    }

    /** Stops running requests; returns the ticket of the suspension. */
    long suspend(Phase why) {
        if (isRunning()) {
            phase = why;
        } else if (!isOver()) {
            throw new IllegalStateException("suspended while " + phase);
        }
        // A closing connection stays so: nothing resumes it.
        return ++ticket;
    }

    /** The ticket of the present suspension. */
    long ticket() {
        return ticket;
    }

    /** Whether the suspension of this ticket still lasts. */
    boolean isSuspended(long itsTicket) {
        return !isRunning() && !isOver() && ticket == itsTicket;
    }

    /** Resumes; returns whether a kept request must run first. */
    boolean resume() {
        if (isRunning() || isOver()) {
            throw new IllegalStateException("resumed while " + phase);
        }
        boolean kept = phase.keepsRequest;
        phase = Phase.RUNNING;
        return kept;
    }

    /** Runs no further request. */
    void close() {
        if (!isOver()) {
            phase = Phase.CLOSING;
        }
    }

    /** Runs no further request, and discards later input. */
    void refuse() {
        if (phase != Phase.CLOSED) {
            phase = Phase.REFUSED;
        }
    }

    /** The channel is closed. */
    void disconnected() {
        phase = Phase.CLOSED;
    }

    /** The client has shut down its output; it may still read. */
    void endInput() {
        inputEnded = true;
    }

    boolean inputEnded() {
        return inputEnded;
    }
}
