package io.polytable.store.fluss.projection;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that the runs of a projection share. One serves all runs as long as it can: what a failed run left in
 * flight then arrives before later writes. But the client never gives up a write to a bucket without a leader, nor one
 * to a table that was dropped, and such writes use up its buffer. So after several runs without progress the connection
 * is replaced, after a pause in which what it left in flight arrives or is lost. Not thread-safe.
 */
final class RunConnection<C> implements AutoCloseable {
    /** Runs without progress after which the connection is replaced. */
    static final int FRUITLESS_MAX = 4;

    private static final Logger LOG = LoggerFactory.getLogger(RunConnection.class);

    private final Supplier<C> opening;
    private final Consumer<C> closing;
    private final Duration inFlightMax;
    private Optional<C> present = Optional.empty();
    private int fruitless;

    /** @param inFlightMax how long a write of a closed connection may still arrive */
    RunConnection(Supplier<C> opening, Consumer<C> closing, Duration inFlightMax) {
        this.opening = opening;
        this.closing = closing;
        this.inFlightMax = inFlightMax;
    }

    C get() {
        C connection = present.orElseGet(opening);
        present = Optional.of(connection);
        return connection;
    }

    /** Called after a run that failed. */
    void failed(boolean hasProgressed) throws InterruptedException {
        fruitless = hasProgressed ? 0 : fruitless + 1;
        if (fruitless >= FRUITLESS_MAX && present.isPresent()) {
            LOG.info("{} runs in a row did not get ahead: connecting to Fluss again", fruitless);
            drop();
            TimeUnit.NANOSECONDS.sleep(inFlightMax.toNanos());
        }
    }

    @Override
    public void close() {
        drop();
    }

    /** Closes the connection, if there is one; {@link #get} opens another. */
    void drop() {
        fruitless = 0;
        Optional<C> closed = present;
        present = Optional.empty();
        closed.ifPresent(closing);
    }
}
