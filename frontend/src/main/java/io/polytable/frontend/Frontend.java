package io.polytable.frontend;

import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.metric.MetricSource;
import io.polytable.frontend.view.View;
import java.util.List;

/** An open protocol: it accepts connections, or answers at paths of the HTTP port. */
public interface Frontend extends MetricSource, AutoCloseable {
    /** As in the ready line: {@code redis}. */
    String name();

    /** The ports that it listens on, the main one first; none if it answers on the HTTP port alone. */
    default List<Port> ports() {
        return List.of();
    }

    /** A port and its name in the ready line. */
    record Port(String name, int number) {}

    /** The views of its rows. */
    default List<View> views() {
        return List.of();
    }

    /** Answers a request to one of the paths that its opener declares, on the calling thread. */
    default void answer(HttpRequest request, ReplyStream reply) {
        throw new UnsupportedOperationException(name() + " has no paths on the HTTP port");
    }

    @Override
    default void sample(MetricSink sink) {
        // A protocol without metrics.
    }

    /** Stops listening, lets running requests finish within a bounded time, and closes every connection. */
    @Override
    void close();
}
