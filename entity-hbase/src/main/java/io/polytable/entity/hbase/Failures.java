package io.polytable.entity.hbase;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.zookeeper.KeeperException;

/** Maps failures of HBase's client to errors of the entity library. */
final class Failures {
    private static final List<Class<? extends Exception>> UNREACHABLE = List.of(
            TimeoutException.class,
            ConnectException.class,
            SocketTimeoutException.class,
            UnknownHostException.class,
            CallTimeoutException.class,
            FailedServerException.class,
            MasterNotRunningException.class,
            KeeperException.class);
    private static final int CAUSES_MAX = 20;

    private Failures() {}

    /** Waits with a time-out: a server that never answers is unreachable. */
    static <T> T join(CompletableFuture<T> future, long timeoutMillis) {
        try {
            return future.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EntityException(EntityError.STORE_FAILED, "Interrupted while waiting for HBase", Map.of(), e);
        } catch (ExecutionException e) {
            throw of(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new EntityException(
                    EntityError.UNREACHABLE, "HBase does not answer", Map.of("waitedMillis", timeoutMillis), e);
        }
    }

    static <T> CompletableFuture<T> translated(CompletableFuture<T> future) {
        return future.handle((value, failure) -> {
            if (failure != null) {
                throw of(failure);
            }
            return value;
        });
    }

    /** As {@link #translated}, for a write that must not be repeated blindly. */
    static <T> CompletableFuture<T> translatedOnce(CompletableFuture<T> future) {
        return future.handle((value, failure) -> {
            if (failure == null) {
                return value;
            }
            EntityException known = of(failure);
            if (known.error() == EntityError.UNREACHABLE) {
                throw new EntityException(
                        EntityError.UNKNOWN_OUTCOME, "HBase did not say whether it made the change", Map.of(), known);
            }
            throw known;
        });
    }

    static EntityException of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof EntityException known) {
            return known;
        }
        String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new EntityException(errorOf(cause), "HBase refused or failed", Map.of("reason", reason), cause);
    }

    private static EntityError errorOf(Throwable failure) {
        boolean isExhausted = false;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof NoSuchColumnFamilyException || cause instanceof TableNotEnabledException) {
                return EntityError.STALE_LAYOUT;
            }
            if (cause instanceof TableNotFoundException) {
                return EntityError.NO_SUCH_TABLE;
            }
            if (cause instanceof AccessDeniedException) {
                return EntityError.DENIED;
            }
            if (cause instanceof DoNotRetryIOException && isAboutCounters(cause)) {
                return EntityError.BAD_VALUE;
            }
            if (cause instanceof IllegalArgumentException) {
                return EntityError.TOO_LARGE;
            }
            Throwable known = cause;
            if (UNREACHABLE.stream().anyMatch(type -> type.isInstance(known))) {
                return EntityError.UNREACHABLE;
            }
            isExhausted |= cause instanceof RetriesExhaustedException;
            cause = cause.getCause();
        }
        boolean isConnection = isExhausted && isPlainIo(failure);
        return isConnection ? EntityError.UNREACHABLE : EntityError.STORE_FAILED;
    }

    /** The message of both HBase and our own server for a cell that is not eight bytes long. */
    private static boolean isAboutCounters(Throwable cause) {
        return String.valueOf(cause.getMessage()).contains("not a long");
    }

    /** Whether every try of a retried call ended without an answer of a server. */
    private static boolean isPlainIo(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause instanceof IOException && !(cause instanceof DoNotRetryIOException);
    }
}
