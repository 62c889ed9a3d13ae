package io.polytable.server.run;

import io.polytable.server.metrics.MetricSink;
import io.polytable.server.metrics.MetricSource;
import io.polytable.table.FeedFollower;
import io.polytable.table.TableStore;
import io.polytable.table.view.Projection;
import java.util.Optional;
import java.util.function.Supplier;

/** Keeps tables elsewhere that show what a face wrote. */
public interface ProjectionKeeper extends FeedFollower, MetricSource {
    /** Where nothing is shown elsewhere. */
    ProjectionKeeper NONE = new ProjectionKeeper() {
        @Override
        public void start(TableStore store, Projection projection) {
            // What a face could show, nobody wants to see.
        }

        @Override
        public void start(TableStore store, String face, Supplier<Projection> projections) {
            // Nor this.
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
            // There are no numbers of nothing.
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

    /** Of the face that asks who {@link #hasPassed}. */
    void start(TableStore store, Projection projection);

    /**
     * Of another face, whose tables come and go.
     *
     * @param projections gives one for the tables that there are; asked again whenever they have changed
     */
    void start(TableStore store, String face, Supplier<Projection> projections);

    /** Has everything written anew; answers at once. */
    void rebuild();

    /**
     * How it stands.
     *
     * @param rebuilding whether everything is being written anew
     * @param line for people
     * @param trouble why it does not go on
     */
    record Progress(boolean rebuilding, String line, Optional<String> trouble) {}

    Progress progress();
}
