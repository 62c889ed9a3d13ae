package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A conditional batch whose outcome is found out where it can be. The batch replaces one revision by another that nobody else
 * makes, so it can be sent again: it is made at most once, and a revision that is already the new one says that it was. When
 * somebody else has replaced the revision since it is not known. Nor is it when the batch made a row's first revision: that
 * there is none is true again after the row is deleted, so such a batch could be made twice.
 */
final class Settling {
    private static final String REVISION = "rev";
    private static final int TRIES_MAX = 4;
    private static final Optional<Outcome> MADE = Optional.of(new Outcome(true, Optional.empty()));

    private final Cluster cluster;
    private final BatchStatement batch;
    private final UUID next;
    private final boolean mayRepeat;
    private final long endNanos;

    /**
     * Of a batch.
     *
     * @param next the revision it makes
     * @param mayRepeat whether it replaces a revision, and can thus be made only once
     */
    Settling(Cluster cluster, BatchStatement batch, UUID next, boolean mayRepeat) {
        this.cluster = cluster;
        this.batch = batch;
        this.next = next;
        this.mayRepeat = mayRepeat;
        endNanos = System.nanoTime() + cluster.timeout().toNanos();
    }

    /**
     * What became of the batch.
     *
     * @param row where it was not made, what stands against it; empty where there is nothing
     */
    record Outcome(boolean isApplied, Optional<Row> row) {}

    CompletableFuture<Outcome> outcome() {
        // Half of the time is kept for finding out what became of it.
        return send(batch.setTimeout(cluster.timeout().dividedBy(2)), 1)
                .thenApply(known -> known.orElseThrow(() -> unknown(null)));
    }

    /** What became of the batch; empty where that cannot be known any more, and to send it again is of no use. */
    private CompletableFuture<Optional<Outcome>> send(BatchStatement statement, int number) {
        return cluster.executeOnce(statement)
                .thenApply(result -> outcome(result, number > 1))
                .exceptionallyCompose(failure -> afterFailure(failure, number));
    }

    private CompletableFuture<Optional<Outcome>> afterFailure(Throwable failure, int number) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Duration left = Duration.ofNanos(endNanos - System.nanoTime());
        boolean goesOn = mayRepeat
                && cause instanceof EntityException known
                && (known.error() == EntityError.UNKNOWN_OUTCOME || number > 1)
                && number < TRIES_MAX
                && !left.isNegative()
                && !left.isZero();
        return goesOn
                ? send(batch.setTimeout(left), number + 1)
                : CompletableFuture.failedFuture(number > 1 ? unknown(cause) : cause);
    }

    private Optional<Outcome> outcome(AsyncResultSet result, boolean isDoubtful) {
        if (result.wasApplied()) {
            return MADE;
        }
        Optional<Row> row = Optional.ofNullable(result.one());
        if (!isDoubtful) {
            return Optional.of(new Outcome(false, row));
        }
        boolean isOurs = row.isPresent()
                && row.get().getColumnDefinitions().contains(REVISION)
                && next.equals(row.get().getUuid(REVISION));
        return isOurs ? MADE : Optional.empty();
    }

    private static EntityException unknown(@Nullable Throwable cause) {
        return new EntityException(
                EntityError.UNKNOWN_OUTCOME,
                "A conditional write was not answered, and the entity was changed since: read before trying again",
                Map.of(),
                cause);
    }
}
