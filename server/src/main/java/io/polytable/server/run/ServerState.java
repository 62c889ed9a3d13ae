package io.polytable.server.run;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.metric.MetricSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The state of the server: starting, ready, rebuilding, failed, stopping. The HTTP port shows it from the start. */
final class ServerState implements MetricSource {
    private static final Metric READY =
            new Metric("polytable_ready", "1 while all endpoints accept connections, otherwise 0");

    private final AtomicReference<Stage> stage = new AtomicReference<>(new Stage.Starting());

    sealed interface Stage {
        record Starting() implements Stage {}

        record Ready(RunningStore engine) implements Stage {}

        record Failed(String reason) implements Stage {}

        record Rebuilding() implements Stage {}

        record Stopping() implements Stage {}
    }

    void ready(RunningStore engine) {
        stage.set(new Stage.Ready(engine));
    }

    /** The engine failed, and is being reopened. */
    void rebuilding() {
        stage.set(new Stage.Rebuilding());
    }

    /** The engine failed, and only a restart helps. */
    void failed(String reason) {
        stage.set(new Stage.Failed(reason));
    }

    /** The reason of the failure, if the server has failed. */
    Optional<String> failure() {
        return stage.get() instanceof Stage.Failed failed ? Optional.of(failed.reason()) : Optional.empty();
    }

    void stopping() {
        stage.set(new Stage.Stopping());
    }

    /** The engine, while everything runs. */
    Optional<RunningStore> engine() {
        return stage.get() instanceof Stage.Ready ready ? Optional.of(ready.engine()) : Optional.empty();
    }

    String word() {
        Stage now = stage.get();
        if (now instanceof Stage.Ready) {
            return "ready";
        }
        if (now instanceof Stage.Rebuilding) {
            return "rebuilding";
        }
        if (now instanceof Stage.Failed) {
            return "failed";
        }
        return now instanceof Stage.Starting ? "starting" : "stopping";
    }

    @Override
    public void sample(MetricSink sink) {
        sink.gauge(READY, Labels.NONE, engine().isPresent() ? 1 : 0);
    }
}
