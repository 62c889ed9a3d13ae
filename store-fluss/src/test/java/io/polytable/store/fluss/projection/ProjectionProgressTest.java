package io.polytable.store.fluss.projection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which rebuild fulfils which request. */
class ProjectionProgressTest {
    private final ProjectionProgress progress = new ProjectionProgress();

    @Test
    void aRebuildFulfilsWhatWasAskedBeforeIt() {
        progress.askForRebuild();
        progress.askForRebuild();
        progress.beginRebuild();
        assertThat(progress.isRebuildWanted()).isTrue();
        progress.endRebuild();
        assertThat(progress.isRebuildWanted()).isFalse();
        assertThat(progress.status(0).rebuilding()).isEmpty();
    }

    /** It may have passed the rows for whose sake it is asked again. */
    @Test
    void aRequestDuringARebuildCausesAnother() {
        progress.askForRebuild();
        progress.beginRebuild();
        progress.askForRebuild();
        progress.endRebuild();
        assertThat(progress.isRebuildWanted()).isTrue();
        assertThat(progress.status(0).rebuilding()).contains(0L);
        progress.beginRebuild();
        progress.endRebuild();
        assertThat(progress.isRebuildWanted()).isFalse();
    }
}
