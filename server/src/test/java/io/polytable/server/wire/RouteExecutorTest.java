package io.polytable.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.limit.Budget;
import io.polytable.table.Bytes;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RouteExecutorTest {
    private static final AbortableReply NO_STREAM = new AbortableReply() {
        @Override
        public void header(String name, String value) {}

        @Override
        public void whenGone(Runnable action) {}

        @Override
        public void whole(int status, String contentType, byte[] body) {}

        @Override
        public OutputStream begin(int status, String contentType) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void abortUnfinished() {}
    };

    private final Budget bodies = Budget.of("bodies", 1000);
    private final Semaphore mayEnd = new Semaphore(0);
    private final Semaphore ended = new Semaphore(0);
    private final List<Integer> statuses = new CopyOnWriteArrayList<>();
    private final Route slow = Route.slowPost("/slow", call -> {
        mayEnd.acquireUninterruptibly();
        return HttpReply.ok("slow");
    });

    @Test
    void theBodiesOfWaitingRequestsHaveALimitTogether() {
        try (RouteExecutor executor = new RouteExecutor(new HttpMetrics(() -> 0), () -> bodies)) {
            post(executor, 2000);
            post(executor, 1);
            assertThat(statuses)
                    .as("one alone always fits, another beside it does not")
                    .containsExactly(503);
            mayEnd.release();
            ended.acquireUninterruptibly(2);
        }
        try (RouteExecutor executor = new RouteExecutor(new HttpMetrics(() -> 0), () -> bodies)) {
            statuses.clear();
            post(executor, 600);
            post(executor, 400);
            assertThat(statuses).isEmpty();
            post(executor, 1);
            assertThat(statuses).containsExactly(503);
            mayEnd.release(2);
        }
        assertThat(statuses).containsExactly(503, 200, 200);
    }

    private void post(RouteExecutor executor, int bytes) {
        HttpRequest call = new HttpRequest(
                HttpMethod.POST,
                "/slow",
                Map.of(),
                false,
                Map.of(),
                Bytes.of(new byte[bytes]),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        executor.answer(
                slow,
                call,
                reply -> {
                    statuses.add(reply.status());
                    ended.release();
                },
                NO_STREAM);
    }
}
