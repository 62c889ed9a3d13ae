package io.polytable.redis.wire;

/**
 * What a connection is doing, and what it waits for. Only its own event loop looks and changes.
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
 * A wake-up names the suspension it is for by its ticket, so one that comes late, for a suspension that is over, does
 * nothing. What a client may call (subscriber mode, MONITOR, MULTI) is not a state of the connection but of its
 * {@code Session}: such a connection is RUNNING, and is suspended as any other.
 */
final class ConnectionState {
    /** The phases, the last ones final; a suspended one keeps the request that could not run, or has none. */
    enum Phase {
        /** Runs requests as they arrive. */
        RUNNING(false),
        /** Has run its share of this turn; the other connections of the loop come first. */
        YIELDED(true),
        /** The client does not read its replies. */
        CLIENT_SLOW(true),
        /** All clients together leave many replies unread, and this one has not taken its own yet. */
        CROWDED(true),
        /** The store has no room for writes: back-pressure. */
        STORE_FULL(true),
        /** CLIENT PAUSE holds the request. */
        PAUSED(true),
        /** The request found nothing and waits for its keys; whoever writes them answers it. */
        BLOCKED(false),
        /** The request has run, and its reply is computed elsewhere. */
        ANSWER_PENDING(false),
        /** No further request runs; closes when all replies are sent. */
        CLOSING(false),
        /** Answered an error that ends the conversation; discards input until the client is silent, then closes. */
        REFUSED(false),
        /** The channel is gone. */
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

    /** Whether a request waits, and not for its client: such a client is not idle. */
    boolean owesAnswer() {
        return !isRunning() && !isOver() && phase != Phase.CLIENT_SLOW && phase != Phase.CROWDED;
    }

    /** Stops running requests; answers the ticket that {@link #resume} wants. */
    long suspend(Phase why) {
        if (isRunning()) {
            phase = why;
        } else if (!isOver()) {
            throw new IllegalStateException("suspended while " + phase);
        }
        // One that is closing stays so: nothing resumes it.
        return ++ticket;
    }

    /** The ticket of the present suspension. */
    long ticket() {
        return ticket;
    }

    /** Whether the connection is still in the suspension of this ticket. */
    boolean isSuspended(long itsTicket) {
        return !isRunning() && !isOver() && ticket == itsTicket;
    }

    /** Runs again; answers whether a request was kept that has to run first. */
    boolean resume() {
        if (isRunning() || isOver()) {
            throw new IllegalStateException("resumed while " + phase);
        }
        boolean kept = phase.keepsRequest;
        phase = Phase.RUNNING;
        return kept;
    }

    /** No further request runs. */
    void close() {
        if (!isOver()) {
            phase = Phase.CLOSING;
        }
    }

    /** No further request runs, and later input is discarded. */
    void refuse() {
        if (phase != Phase.CLOSED) {
            phase = Phase.REFUSED;
        }
    }

    /** The channel is gone. */
    void disconnected() {
        phase = Phase.CLOSED;
    }

    /** The client sends nothing more; it may still read. */
    void endInput() {
        inputEnded = true;
    }

    boolean inputEnded() {
        return inputEnded;
    }
}
