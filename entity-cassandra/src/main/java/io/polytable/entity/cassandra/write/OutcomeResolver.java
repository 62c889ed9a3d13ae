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
 * Resolves the outcome of a conditional batch that got no answer, where possible. The batch replaces one revision by a
 * unique new one, so it can be sent again: it is applied at most once, and if the revision is already the new one it
 * was applied. The outcome stays unknown if another client has replaced the revision since. It also stays unknown if
 * the batch created a row's first revision: its condition, that there is none, holds again after the row is deleted, so
 * the batch could be applied twice.
 */
final class OutcomeResolver {
    private static final String REVISION = "rev";
    private static final int TRIES_MAX = 4;
    private static final Optional<Outcome> MADE = Optional.of(new Outcome(true, Optional.empty()));

    private final Cluster cluster;
    private final BatchStatement batch;
    private final UUID next;
    private final boolean mayRepeat;
    private final long endNanos;

    /**
     * Resolves a batch.
     *
     * @param next the revision that it writes
     * @param mayRepeat whether it replaces a revision, and so can be applied only once
     */
    OutcomeResolver(Cluster cluster, BatchStatement batch, UUID next, boolean mayRepeat) {
        this.cluster = cluster;
        this.batch = batch;
        this.next = next;
        this.mayRepeat = mayRepeat;
        endNanos = System.nanoTime() + cluster.timeout().toNanos();
    }

    /**
     * The outcome of a batch.
     *
     * @param row if it was not applied, the conflicting row; empty if there is none
     */
    record Outcome(boolean isApplied, Optional<Row> row) {}

    CompletableFuture<Outcome> outcome() {
        // Half of the time is reserved for resolving the outcome.
        return send(batch.setTimeout(cluster.timeout().dividedBy(2)), 1)
                .thenApply(known -> known.orElseThrow(() -> unknown(null)));
    }

    /** The outcome of the batch; empty if it can no longer be determined, and sending it again would not help. */
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
