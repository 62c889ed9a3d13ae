package io.polytable.server.assembly;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.FollowedViews;
import io.polytable.server.config.ProjectionSettings;
import io.polytable.server.run.ProjectionService;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.projection.ProjectionOptions;
import io.polytable.store.fluss.projection.ProjectionStatus;
import io.polytable.store.fluss.projection.Projector;
import io.polytable.table.TableStore;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The server's view of the readable tables in Fluss. */
final class FlussTables implements ProjectionService, AutoCloseable {
    private static final Metric LAG_RECORDS =
            new Metric("polytable_projection_lag_records", "Commits not yet written to the readable tables in Fluss");
    private static final Metric LAG_SECONDS = new Metric(
            "polytable_projection_lag_seconds",
            "Age of the oldest commit not yet in the readable tables in Fluss; 0 if there is none");
    private static final Metric ROWS =
            new Metric("polytable_projection_rows", "Rows upserted into and deleted from the readable tables in Fluss");
    private static final Metric REBUILDS =
            new Metric("polytable_projection_rebuilds", "Completed rebuilds of the readable tables in Fluss");
    private static final Metric STUCK =
            new Metric("polytable_projection_stuck", "1 while the readable tables in Fluss cannot be updated");
    private static final double MILLIS_PER_SECOND = 1000;

    /** The frontend whose tables are created and dropped at runtime. */
    private static final String HBASE = "hbase";

    private final FlussSettings fluss;
    private final ProjectionOptions options;

    /** The projection of the frontend whose deletions wait for it; projections of other frontends start with those frontends. */
    private final Projector first;

    private final List<Projector> projectors = new CopyOnWriteArrayList<>();

    FlussTables(FlussSettings fluss, Settings settings) {
        this.fluss = fluss;
        options = options(settings);
        first = new Projector(fluss, options);
        projectors.add(first);
    }

    static ProjectionOptions options(Settings settings) {
        return new ProjectionOptions(
                settings.get(ProjectionSettings.BUCKETS),
                settings.get(ProjectionSettings.INTERVAL),
                settings.get(ProjectionSettings.BATCH_ROWS),
                settings.get(ProjectionSettings.BATCH_BYTES),
                settings.get(ProjectionSettings.VALUE_BYTES_MAX),
                ProjectionOptions.DEFAULT.quiet());
    }

    /** Frontends with progress records of their own, by the names of those. */
    static List<String> names() {
        return List.of("", HBASE);
    }

    @Override
    public void start(TableStore store, FollowedViews views) {
        first.start(store, views);
    }

    @Override
    public void start(TableStore store, String frontend, Supplier<FollowedViews> views) {
        Projector projector = new Projector(fluss, options, frontend);
        projectors.add(projector);
        projector.start(store, views);
    }

    @Override
    public void rebuild() {
        projectors.forEach(Projector::rebuild);
    }

    @Override
    public Progress progress() {
        List<ProjectionStatus> all = statuses();
        LongSummaryStatistics rebuilding = all.stream()
                .flatMap(status -> status.rebuilding().stream())
                .mapToLong(Long::longValue)
                .summaryStatistics();
        boolean isRebuilding = rebuilding.getCount() > 0;
        String line = isRebuilding
                ? "rebuilding, " + rebuilding.getSum() + " rows so far"
                : "following, " + lagRecords(all) + " commits behind";
        Optional<String> trouble =
                all.stream().flatMap(status -> status.trouble().stream()).findFirst();
        return new Progress(isRebuilding, line, trouble);
    }

    private List<ProjectionStatus> statuses() {
        return projectors.stream().map(Projector::status).toList();
    }

    private static long lagRecords(List<ProjectionStatus> all) {
        return all.stream().mapToLong(ProjectionStatus::lagRecords).max().orElse(0);
    }

    /** The worst status of all, and the sums. */
    @Override
    public void sample(MetricSink sink) {
        List<ProjectionStatus> all = statuses();
        long lagMillis =
                all.stream().mapToLong(ProjectionStatus::lagMillis).max().orElse(0);
        long rows = all.stream().mapToLong(ProjectionStatus::rows).sum();
        long rebuilds = all.stream().mapToLong(ProjectionStatus::rebuilds).sum();
        boolean stuck = all.stream().anyMatch(status -> status.trouble().isPresent());
        sink.gauge(LAG_RECORDS, Labels.NONE, (double) lagRecords(all));
        sink.gauge(LAG_SECONDS, Labels.NONE, lagMillis / MILLIS_PER_SECOND);
        sink.counter(ROWS, Labels.NONE, (double) rows);
        sink.counter(REBUILDS, Labels.NONE, (double) rebuilds);
        sink.gauge(STUCK, Labels.NONE, stuck ? 1 : 0);
    }

    @Override
    public long mark() {
        return first.mark();
    }

    @Override
    public boolean hasPassed(long mark) {
        return first.hasPassed(mark);
    }

    @Override
    public void close() {
        projectors.forEach(Projector::close);
    }
}
