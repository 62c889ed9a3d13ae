package io.polytable.server.run;

import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.server.metrics.MetricSource;
import java.util.Optional;

/** A frontend on the HTTP port. */
public interface HttpFace extends MetricSource, AutoCloseable {
    /** Answers a request to one of its paths, on the calling thread. */
    void answer(HttpRequest call, ReplyStream reply);

    /** The files that its rows name. */
    default Optional<FaceFiles> files() {
        return Optional.empty();
    }

    @Override
    void close();
}
