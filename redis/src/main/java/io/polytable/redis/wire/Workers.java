package io.polytable.redis.wire;

import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.model.RedisError;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for units of work that may take long: a walk over all keys, a flush, later a script or a query. While one of
 * them runs, its connection is parked and runs nothing else, so replies keep their order, and the event loop serves its
 * other connections. Each thread has a dispatcher of its own, and what it answers leaves as every reply does: at the end of
 * a turn of the connection's loop, when all it may have seen is durable.
 */
final class Workers implements AutoCloseable {
    /** A connection waits with at most one, but there may be thousands of connections. */
    static final int WAITING_MAX = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final long IDLE_SECONDS = 30;
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final String FAILED = "internal error";

    private final ThreadPoolExecutor threads;
    private final ThreadLocal<Dispatcher> dispatchers;

    /** What a thread runs, with its own dispatcher. It answers at once: nothing waits on these threads for another client. */
    interface Work {
        Reply run(Dispatcher own);
    }

    Workers(int count, Supplier<Dispatcher> newDispatcher) {
        dispatchers = ThreadLocal.withInitial(newDispatcher);
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), Workers::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "redis-worker");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * The reply that comes when a thread has done the work.
     *
     * @throws RedisError when too many wait already
     */
    Reply submit(Work work) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer.complete(run(work)));
        } catch (RejectedExecutionException full) {
            throw CommandErrors.BUSY;
        }
        return new Reply.Later(answer);
    }

    private Reply run(Work work) {
        try {
            return work.run(dispatchers.get());
        } catch (RuntimeException | Error failed) {
            LOG.error("A long command failed", failed);
            return Reply.error(new RedisError(FAILED));
        }
    }

    /** Lets what runs come to its end, for a while. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("A long command still runs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
