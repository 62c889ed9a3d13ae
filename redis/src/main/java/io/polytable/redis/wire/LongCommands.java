package io.polytable.redis.wire;

import io.polytable.frontend.net.Workers;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.model.RedisError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for units of work that may take long: a scan of all keys, a flush, later a script or a query. Meanwhile its
 * connection is suspended, so replies keep their order, and the event loop serves its other connections. Each thread
 * has its own dispatcher. Its reply leaves like every other: at the end of a turn of the connection's loop, when
 * everything it may have read is durable.
 */
final class LongCommands implements AutoCloseable {
    /** A connection has at most one request here, but there may be thousands of connections. */
    static final int WAITING_MAX = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(LongCommands.class);

    /** Scripts with coroutines recurse in C, where an overflow would end the process. */
    private static final long STACK_BYTES = 16L << 20;

    private static final long CLOSE_SECONDS_MAX = 10;
    private static final String FAILED = "internal error";

    private final Workers threads;
    private final ThreadLocal<Dispatcher> dispatchers;

    /**
     * The work of a thread, with its own dispatcher. It must return at once: nothing on these threads waits for another
     * client.
     */
    interface Work {
        Reply run(Dispatcher own);
    }

    LongCommands(int count, Supplier<Dispatcher> newDispatcher) {
        dispatchers = ThreadLocal.withInitial(newDispatcher);
        threads = new Workers("redis-worker", count, WAITING_MAX, CLOSE_SECONDS_MAX, STACK_BYTES);
    }

    /**
     * Runs the work on a thread; the reply follows asynchronously.
     *
     * @throws RedisError when the queue is full
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

    /** Waits a limited time for running work. */
    @Override
    public void close() {
        threads.close();
    }
}
