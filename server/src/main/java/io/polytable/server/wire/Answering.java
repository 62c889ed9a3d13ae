package io.polytable.server.wire;

import io.polytable.server.http.HttpCall;
import io.polytable.server.http.HttpReply;
import io.polytable.server.http.Route;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a route's answer where its pace belongs, and turns our own mistakes into 500. */
final class Answering implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);
    private static final long STOP_SECONDS_MAX = 10;

    private final HttpTally tally;
    private final ThreadPoolExecutor workers;

    Answering(HttpTally tally) {
        this.tally = tally;
        AtomicInteger number = new AtomicInteger();
        this.workers = new ThreadPoolExecutor(
                HttpLimits.SLOW_ANSWERS_MAX,
                HttpLimits.SLOW_ANSWERS_MAX,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(HttpLimits.SLOW_ANSWERS_WAITING_MAX),
                task -> new Thread(task, "http-worker-" + number.incrementAndGet()));
        workers.allowCoreThreadTimeOut(true);
    }

    void answer(Route route, HttpCall call, Consumer<HttpReply> finish) {
        switch (route.pace()) {
            case QUICK -> finish.accept(answer(route, call));
            case SLOW -> answerOnWorker(route, call, finish);
        }
    }

    private void answerOnWorker(Route route, HttpCall call, Consumer<HttpReply> finish) {
        try {
            workers.execute(() -> finish.accept(answer(route, call)));
        } catch (RejectedExecutionException busy) {
            finish.accept(HttpReply.plain(503, "Too many commands are at work; try again"));
        }
    }

    private HttpReply answer(Route route, HttpCall call) {
        long begun = System.nanoTime();
        HttpReply reply = replyOrOurMistake(route, call);
        tally.answered(route, reply, System.nanoTime() - begun);
        return reply;
    }

    private static HttpReply replyOrOurMistake(Route route, HttpCall call) {
        try {
            return route.answer().apply(call);
        } catch (RuntimeException ours) {
            LOG.error("{} {} failed", route.method(), route.path(), ours);
            return HttpReply.plain(500, "Internal error; the server's log has the details");
        }
    }

    /** Lets what runs come to an end, within bounds. */
    @Override
    public void close() {
        workers.shutdown();
        try {
            if (!workers.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("An HTTP answer was still running when the server stopped");
                workers.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
