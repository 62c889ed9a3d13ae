package io.polytable.hbase.admin;

import io.polytable.frontend.work.Background;
import io.polytable.hbase.rpc.CallFailure;
import io.polytable.hbase.rpc.Failures;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.HConstants;

/**
 * Procedures: changes that clients start with one call and then poll. They run one at a time. Most finish before the
 * first call returns, and that call reports a failure directly; a long one continues in the background.
 *
 * <p>The most recent ones are kept by id and by the client's nonce, so that a retried call starts nothing.
 */
final class Procedures implements AutoCloseable {
    private static final int REMEMBERED_MAX = 10_000;
    private static final long ANSWERED_AFTER_MILLIS = 2_000;

    /** One procedure: its name, start time and completion. */
    static final class Procedure {
        private final long id;
        private final ProcedureKind kind;
        private final long startedMillis;
        private final CompletableFuture<Void> done;

        private Procedure(long id, ProcedureKind kind, long startedMillis, CompletableFuture<Void> done) {
            this.id = id;
            this.kind = kind;
            this.startedMillis = startedMillis;
            this.done = done;
        }

        long id() {
            return id;
        }

        ProcedureKind kind() {
            return kind;
        }

        long startedMillis() {
            return startedMillis;
        }

        boolean isDone() {
            return done.isDone();
        }

        Optional<IOException> failure() {
            try {
                done.getNow(null);
                return Optional.empty();
            } catch (CompletionException failed) {
                return Optional.of(Failures.of(failed));
            }
        }
    }

    private record NonceKey(long group, long nonce) {}

    private final InstantSource clock;
    private final Background procedures = new Background("hbase-procedures", Duration.ofMillis(ANSWERED_AFTER_MILLIS));
    private final Map<Long, Procedure> byId = remembering();
    private final Map<NonceKey, Procedure> byNonce = remembering();

    /**
     * Starts at the time, so that an id from before a restart does not match a procedure of this process: its client
     * would take that one's outcome for its own.
     */
    private long lastId;

    Procedures(InstantSource clock) {
        this.clock = clock;
        lastId = clock.millis();
    }

    private static <K> Map<K, Procedure> remembering() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Procedure> eldest) {
                return size() > REMEMBERED_MAX;
            }
        };
    }

    /** Starts a procedure, waits for it briefly and returns its id; throws if it has failed by then. */
    long run(ProcedureKind kind, long nonceGroup, long nonce, CallFailure.Action action) throws IOException {
        Procedure procedure = started(kind, nonceGroup, nonce, action);
        try {
            procedure.done.get(ANSWERED_AFTER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillRunning) {
            return procedure.id();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return procedure.id();
        } catch (ExecutionException failed) {
            throw Failures.of(failed.getCause() == null ? failed : failed.getCause());
        }
        return procedure.id();
    }

    /** Runs an action after the procedures before it, without an id. */
    CompletableFuture<Void> inTurn(CallFailure.Action action) {
        return CompletableFuture.runAsync(() -> CallFailure.run(action), task -> {
            if (!procedures.now(task)) {
                throw new RejectedExecutionException("the server stops");
            }
        });
    }

    private synchronized Procedure started(ProcedureKind kind, long nonceGroup, long nonce, CallFailure.Action action) {
        NonceKey key = new NonceKey(nonceGroup, nonce);
        boolean named = nonce != HConstants.NO_NONCE;
        if (named && byNonce.containsKey(key)) {
            return byNonce.get(key);
        }
        Procedure procedure = new Procedure(++lastId, kind, clock.millis(), inTurn(action));
        byId.put(procedure.id(), procedure);
        if (named) {
            byNonce.put(key, procedure);
        }
        return procedure;
    }

    synchronized Optional<Procedure> find(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    synchronized List<Procedure> all() {
        return List.copyOf(byId.values());
    }

    @Override
    public void close() {
        procedures.close();
    }
}
