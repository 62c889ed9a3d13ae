package io.polytable.server.assembly;

import io.polytable.server.http.HttpCall;
import io.polytable.server.http.ReplyStream;
import io.polytable.server.metrics.Labels;
import io.polytable.server.metrics.Metric;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.FaceFiles;
import io.polytable.server.run.HttpFace;
import io.polytable.sql.SqlFace;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.sql.wire.SqlReply;
import io.polytable.sql.wire.SqlRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** A running relational face, with its counters. */
final class RunningSql implements HttpFace {
    private final SqlFace face;
    private final SqlEndpoint endpoint;

    RunningSql(SqlFace face, SqlEndpoint endpoint) {
        this.face = face;
        this.endpoint = endpoint;
    }

    @Override
    public void answer(HttpCall call, ReplyStream reply) {
        endpoint.answer(new SqlRequest(call.headers(), call.body(), call.loopback()), new SqlReply() {
            @Override
            public void header(String name, String value) {
                reply.header(name, value);
            }

            @Override
            public void whole(int status, String contentType, byte[] body) {
                reply.whole(status, contentType, body);
            }

            @Override
            public OutputStream begin(int status, String contentType) throws IOException {
                return reply.begin(status, contentType);
            }
        });
    }

    @Override
    public Optional<FaceFiles> files() {
        return Optional.of(new SqlFiles(face.storedFiles()));
    }

    @Override
    public void sample(MetricSink sink) {
        face.engine()
                .log()
                .counts()
                .forEach(count -> sink.counter(
                        new Metric(
                                "polytable_sql_" + count.name(),
                                "SQL: " + count.name().replace('_', ' ')),
                        Labels.NONE,
                        (double) count.value()));
    }

    @Override
    public void close() {
        endpoint.close();
        face.close();
    }
}
