package io.polytable.server.wire;

import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.net.Workers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a route's answer on the right thread, and maps unexpected exceptions to 500. Errors too: nobody else would
 * answer the client, whose connection has no time limit while it waits.
 */
final class RouteExecutor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouteExecutor.class);
    private static final long STOP_SECONDS_MAX = 10;
    private static final int UNANSWERED = 0;

    private final HttpMetrics metrics;
    private final Workers workers;
    private final Workers streamers;

    /** For the bodies of requests that run on a worker, or wait for one; beyond it the client gets 503. */
    private final Supplier<Budget> bodies;

    RouteExecutor(HttpMetrics metrics, Supplier<Budget> bodies) {
        this.metrics = metrics;
        this.bodies = bodies;
        workers = new Workers(
                "http-worker",
                HttpLimits.SLOW_ANSWERS_MAX,
                HttpLimits.SLOW_ANSWERS_WAITING_MAX,
                STOP_SECONDS_MAX,
                Workers.DEEP_STACK);
        streamers = new Workers(
                "http-stream",
                HttpLimits.STREAMED_ANSWERS_MAX,
                HttpLimits.STREAMED_ANSWERS_WAITING_MAX,
                STOP_SECONDS_MAX,
                Workers.DEEP_STACK);
    }

    /** @param stream for streamed answers */
    void answer(Route route, HttpRequest call, Consumer<HttpReply> finish, AbortableReply stream) {
        if (route.answer() instanceof Route.Answer.Quick quick) {
            finish.accept(answer(route, call, quick.reply()));
        } else if (route.answer() instanceof Route.Answer.Slow slow) {
            onWorker(workers, call, () -> finish.accept(answer(route, call, slow.reply())), finish);
        } else if (route.answer() instanceof Route.Answer.Streamed streamed) {
            onWorker(streamers, call, () -> stream(route, call, streamed.writer(), finish, stream), finish);
        }
    }

    private void onWorker(Workers pool, HttpRequest call, Runnable task, Consumer<HttpReply> finish) {
        long bytes = call.body().length();
        Budget budget = bodies.get();
        boolean reserved = reserve(budget, bytes);
        try {
            if (!reserved) {
                throw new RejectedExecutionException();
            }
            pool.execute(() -> {
                try {
                    task.run();
                } finally {
                    budget.release(bytes);
                }
            });
        } catch (RejectedExecutionException busy) {
            budget.release(reserved ? bytes : 0);
            finish.accept(HttpReply.plain(503, "Too many concurrent commands; try again"));
        }
    }

    /** Reserves memory for a body. One alone always fits: its size has a limit of its own. */
    private static boolean reserve(Budget budget, long bytes) {
        return budget.tryTake(bytes) || (budget.heldBytes() == 0 && budget.takeUnlessFull(bytes));
    }

    private void stream(
            Route route,
            HttpRequest call,
            BiConsumer<HttpRequest, ReplyStream> writer,
            Consumer<HttpReply> finish,
            AbortableReply stream) {
        long begun = System.nanoTime();
        int[] status = {UNANSWERED};
        try {
            writer.accept(call, new ReplyStream() {
                @Override
                public void header(String name, String value) {
                    stream.header(name, value);
                }

                @Override
                public void whenGone(Runnable action) {
                    stream.whenGone(action);
                }

                @Override
                public void whole(int answered, String contentType, byte[] body) {
                    status[0] = answered;
                    stream.whole(answered, contentType, body);
                }

                @Override
                public OutputStream begin(int answered, String contentType) throws IOException {
                    status[0] = answered;
                    return stream.begin(answered, contentType);
                }
            });
        } catch (RuntimeException | Error ours) {
            LOG.error("{} {} failed", route.method(), route.path(), ours);
            if (status[0] == UNANSWERED) {
                status[0] = 500;
                finish.accept(HttpReply.plain(500, "Internal error; the server's log has the details"));
            }
        } finally {
            stream.abortUnfinished();
        }
        metrics.answered(route, status[0], System.nanoTime() - begun);
    }

    private HttpReply answer(Route route, HttpRequest call, Function<HttpRequest, HttpReply> answer) {
        long begun = System.nanoTime();
        HttpReply reply = replyOrOurMistake(route, call, answer);
        metrics.answered(route, reply.status(), System.nanoTime() - begun);
        return reply;
    }

    private static HttpReply replyOrOurMistake(Route route, HttpRequest call, Function<HttpRequest, HttpReply> answer) {
        try {
            return answer.apply(call);
        } catch (RuntimeException | Error ours) {
            LOG.error("{} {} failed", route.method(), route.path(), ours);
            return HttpReply.plain(500, "Internal error; the server's log has the details");
        }
    }

    /** Lets running answers finish, within a time limit. */
    @Override
    public void close() {
        workers.close();
        streamers.close();
    }
}
