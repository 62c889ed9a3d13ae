package io.polytable.entity.cassandra.cluster;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Maps failures of the driver to errors of the entity library. */
public final class Failures {
    private Failures() {}

    public static <T> T translated(Supplier<T> call) {
        try {
            return call.get();
        } catch (DriverException | IllegalStateException e) {
            throw of(e);
        }
    }

    public static <T> CompletableFuture<T> translated(CompletionStage<T> stage) {
        return stage.toCompletableFuture().handle((value, failure) -> {
            if (failure != null) {
                throw of(failure);
            }
            return value;
        });
    }

    /**
     * As {@link #translated}, for a conditional write or an increment. If it was sent without an answer it may have
     * been applied, and a retry could apply it twice, so it is not reported as retryable.
     */
    public static <T> CompletableFuture<T> once(CompletionStage<T> stage) {
        return stage.toCompletableFuture().handle((value, failure) -> {
            if (failure == null) {
                return value;
            }
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            throw isInDoubt(cause)
                    ? new EntityException(
                            EntityError.UNKNOWN_OUTCOME,
                            "A conditional write or an increment was not answered: read before trying again",
                            Map.of("reason", String.valueOf(cause.getMessage())),
                            cause)
                    : of(cause);
        });
    }

    private static boolean isInDoubt(Throwable cause) {
        return cause instanceof DriverTimeoutException
                || cause instanceof ClosedConnectionException
                || cause instanceof HeartbeatException
                || cause instanceof WriteTimeoutException
                || cause instanceof WriteFailureException
                || cause instanceof CASWriteUnknownException;
    }

    static RuntimeException of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof EntityException known) {
            return known;
        }
        String reason = String.valueOf(cause.getMessage());
        return new EntityException(errorOf(cause), "Cassandra refused or failed", Map.of("reason", reason), cause);
    }

    private static EntityError errorOf(Throwable cause) {
        if (cause instanceof UnauthorizedException || cause instanceof AuthenticationException) {
            return EntityError.DENIED;
        }
        boolean isUnknown = cause instanceof CASWriteUnknownException
                || (cause instanceof WriteTimeoutException timeout && timeout.getWriteType() == WriteType.CAS);
        if (isUnknown) {
            return EntityError.UNKNOWN_OUTCOME;
        }
        if (cause instanceof AllNodesFailedException all) {
            boolean denied = all.getAllErrors().values().stream()
                    .anyMatch(errors -> errors.stream().anyMatch(AuthenticationException.class::isInstance));
            return denied ? EntityError.DENIED : EntityError.UNREACHABLE;
        }
        if (cause instanceof QueryValidationException) {
            return refusal(String.valueOf(cause.getMessage()));
        }
        return cause instanceof DriverTimeoutException ? EntityError.UNREACHABLE : EntityError.STORE_FAILED;
    }

    /** An invalid statement is invalid at each try. Cassandra has no codes for these errors, only messages. */
    private static EntityError refusal(String reason) {
        if (reason.contains("unconfigured table") || reason.contains("does not exist")) {
            return EntityError.STALE_LAYOUT;
        }
        return reason.contains("too large") ? EntityError.TOO_LARGE : EntityError.BAD_REQUEST;
    }
}
