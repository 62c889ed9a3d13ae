package io.polytable.server.run;

import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.metric.MetricSource;
import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.Followers;
import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import java.util.Optional;
import java.util.function.Supplier;

/** Maintains tables in another system that show a frontend's rows. */
public interface ProjectionService extends Followers, MetricSource {
    /** For stores without a projection. */
    ProjectionService NONE = new ProjectionService() {
        @Override
        public void start(TableStore store, FollowedViews views) {
            // Nothing is projected.
        }

        @Override
        public void start(TableStore store, String frontend, Supplier<FollowedViews> views) {
            // Nothing is projected.
        }

        @Override
        public void rebuild() {
            throw new RefusedException("No tables are kept: this server runs without store.log=fluss, or with"
                    + " fluss.projection.enabled=false");
        }

        @Override
        public Progress progress() {
            return new Progress(false, "no tables are kept", Optional.empty());
        }

        @Override
        public void sample(MetricSink sink) {
            // There are no metrics.
        }

        @Override
        public long mark() {
            return FeedFollower.NONE.mark();
        }

        @Override
        public boolean hasPassed(long mark) {
            return FeedFollower.NONE.hasPassed(mark);
        }
    };

    /** Starts to rewrite everything and returns at once. */
    void rebuild();

    /**
     * The status of a projection.
     *
     * @param rebuilding whether everything is being rewritten
     * @param line a line for people
     * @param trouble why it is stuck
     */
    record Progress(boolean rebuilding, String line, Optional<String> trouble) {}

    Progress progress();
}
