package io.polytable.server.assembly;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.ProjectionKeys;
import io.polytable.server.metrics.Labels;
import io.polytable.server.metrics.Metric;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.ProjectionKeeper;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.projection.ProjectionOptions;
import io.polytable.store.fluss.projection.ProjectionStatus;
import io.polytable.store.fluss.projection.Projector;
import io.polytable.table.TableStore;
import io.polytable.table.view.Projection;

/** The readable tables in Fluss as the server sees them. */
final class FlussTables implements ProjectionKeeper, AutoCloseable {
    private static final Metric LAG_RECORDS =
            new Metric("polytable_projection_lag_records", "Commits that the tables in Fluss do not show yet");
    private static final Metric LAG_SECONDS =
            new Metric("polytable_projection_lag_seconds", "Age of what the tables in Fluss show; 0 for everything");
    private static final Metric ROWS =
            new Metric("polytable_projection_rows", "Rows written to and removed from the tables in Fluss");
    private static final Metric REBUILDS =
            new Metric("polytable_projection_rebuilds", "How often the tables in Fluss were written anew");
    private static final Metric STUCK =
            new Metric("polytable_projection_stuck", "1 while the tables in Fluss cannot be kept up");
    private static final double MILLIS_PER_SECOND = 1000;

    private final Projector projector;

    FlussTables(FlussSettings settings, Configuration configuration) {
        projector = new Projector(settings, options(configuration));
    }

    static ProjectionOptions options(Configuration configuration) {
        return new ProjectionOptions(
                configuration.get(ProjectionKeys.BUCKETS),
                configuration.get(ProjectionKeys.INTERVAL),
                configuration.get(ProjectionKeys.BATCH_ROWS),
                configuration.get(ProjectionKeys.BATCH_BYTES),
                configuration.get(ProjectionKeys.VALUE_BYTES_MAX));
    }

    @Override
    public void start(TableStore store, Projection projection) {
        projector.start(store, projection);
    }

    @Override
    public void rebuild() {
        projector.rebuild();
    }

    @Override
    public Progress progress() {
        ProjectionStatus status = projector.status();
        String line = status.rebuilding()
                .map(rows -> "rebuilding, " + rows + " rows so far")
                .orElseGet(() -> "following, " + status.lagRecords() + " commits behind");
        return new Progress(status.rebuilding().isPresent(), line, status.trouble());
    }

    @Override
    public void sample(MetricSink sink) {
        ProjectionStatus status = projector.status();
        sink.gauge(LAG_RECORDS, Labels.NONE, (double) status.lagRecords());
        sink.gauge(LAG_SECONDS, Labels.NONE, status.lagMillis() / MILLIS_PER_SECOND);
        sink.counter(ROWS, Labels.NONE, (double) status.rows());
        sink.counter(REBUILDS, Labels.NONE, (double) status.rebuilds());
        sink.gauge(STUCK, Labels.NONE, status.trouble().isPresent() ? 1 : 0);
    }

    @Override
    public long mark() {
        return projector.mark();
    }

    @Override
    public boolean hasPassed(long mark) {
        return projector.hasPassed(mark);
    }

    @Override
    public void close() {
        projector.close();
    }
}
