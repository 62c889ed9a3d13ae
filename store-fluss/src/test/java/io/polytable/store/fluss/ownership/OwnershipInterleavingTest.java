package io.polytable.store.fluss.ownership;

import static io.polytable.store.fluss.ownership.ModelledOwner.Work.APPEND;
import static io.polytable.store.fluss.ownership.ModelledOwner.Work.APPEND_LARGE;
import static io.polytable.store.fluss.ownership.ModelledOwner.Work.TRIM;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ownership.ModelledOwner.Work;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two and three servers take a log from each other, in every order of their steps. */
class OwnershipInterleavingTest {
    private static final List<Work> NOTHING = List.of();

    static Stream<Arguments> orders() {
        return Stream.of(
                Arguments.of("two servers", false, List.of(List.of(APPEND, APPEND), List.of(APPEND, APPEND))),
                Arguments.of("readers that lag", true, List.of(List.of(APPEND, APPEND), List.of(APPEND))),
                Arguments.of("large records", false, List.of(List.of(APPEND_LARGE, APPEND), List.of(APPEND_LARGE))),
                Arguments.of("trims", false, List.of(List.of(APPEND, APPEND, TRIM, APPEND), List.of(APPEND, TRIM))),
                Arguments.of("three servers", false, List.of(List.of(APPEND), List.of(APPEND), NOTHING)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void nothingAcknowledgedIsLost(String name, boolean lagging, List<List<Work>> servers) {
        Interleavings all = new Interleavings(new LogModel.Rules(lagging, false), servers);
        all.explore();
        assertThat(all.loss()).isEmpty();
        assertThat(all.states()).as("states in which %s were looked at", name).isGreaterThan(500);
    }

    /** The search finds what version 1 of the format lost: a delayed claimant hid the epoch's owner. */
    @Test
    void aClaimThatHidesAnotherLosesWhatWasAcknowledged() {
        LogModel.Rules version1 = new LogModel.Rules(false, true);
        Interleavings all = new Interleavings(version1, List.of(List.of(APPEND), NOTHING));
        all.explore();
        assertThat(all.loss()).isPresent();
    }
}
