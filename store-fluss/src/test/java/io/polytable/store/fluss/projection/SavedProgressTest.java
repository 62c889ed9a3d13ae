package io.polytable.store.fluss.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.projection.SavedProgress.TableOffsets;
import io.polytable.table.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far a projection is, as text. */
class SavedProgressTest {
    private static final SavedProgress PROGRESS = new SavedProgress(
            Optional.of(Position.parse("7-c,7-3")),
            Map.of(
                    "rows", new TableOffsets(4, List.of(10L, 0L)),
                    "other@an incarnation, with blanks", new TableOffsets(9, List.of(77L))),
            15);

    @Test
    void isReadBack() {
        assertThat(SavedProgress.decode(PROGRESS.encode())).isEqualTo(PROGRESS);
        assertThat(SavedProgress.decode(PROGRESS.forgotten().encode())).isEqualTo(PROGRESS.forgotten());
        assertThat(SavedProgress.decode(SavedProgress.NONE.encode())).isEqualTo(SavedProgress.NONE);
    }

    /** The start of a log has an empty text, which is not the same as no position. */
    @Test
    void theStartIsAPosition() {
        SavedProgress start = new SavedProgress(Optional.of(Position.START), Map.of(), 0);
        assertThat(SavedProgress.decode(start.encode())).isEqualTo(start);
    }
}
