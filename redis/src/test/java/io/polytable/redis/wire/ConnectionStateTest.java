package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.wire.ConnectionState.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The transitions of a connection, and those that there are not. */
class ConnectionStateTest {
    private final ConnectionState state = new ConnectionState();

    @ParameterizedTest
    @EnumSource(names = {"YIELDED", "CLIENT_SLOW", "STORE_FULL", "PAUSED"})
    void aRequestThatCouldNotRunIsKept(Phase why) {
        long ticket = state.suspend(why);
        assertThat(state.is(why)).isTrue();
        assertThat(state.isSuspended(ticket)).isTrue();
        assertThat(state.resume()).isTrue();
        assertThat(state.isRunning()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKED", "ANSWER_PENDING"})
    void aRequestThatRanIsNotRunAgain(Phase why) {
        state.suspend(why);
        assertThat(state.resume()).isFalse();
    }

    @Test
    void aLateWakeUpIsForASuspensionThatIsOver() {
        long first = state.suspend(Phase.PAUSED);
        state.resume();
        assertThat(state.isSuspended(first)).isFalse();
        long second = state.suspend(Phase.STORE_FULL);
        assertThat(state.isSuspended(first)).isFalse();
        assertThat(state.isSuspended(second)).isTrue();
    }

    @Test
    void nothingResumesAConnectionThatCloses() {
        long ticket = state.suspend(Phase.BLOCKED);
        state.close();
        assertThat(state.isSuspended(ticket)).isFalse();
        assertThat(state.isSuspended(state.suspend(Phase.ANSWER_PENDING))).isFalse();
        assertThat(state.phase()).isEqualTo(Phase.CLOSING);
        state.disconnected();
        state.close();
        assertThat(state.phase()).isEqualTo(Phase.CLOSED);
    }

    @Test
    void aRefusedConnectionStaysRefusedUntilItIsGone() {
        state.refuse();
        state.close();
        assertThat(state.phase()).isEqualTo(Phase.REFUSED);
        assertThat(state.isOver()).isTrue();
        state.disconnected();
        state.refuse();
        assertThat(state.phase()).isEqualTo(Phase.CLOSED);
    }

    @Test
    void oneSuspensionAtATime() {
        state.suspend(Phase.PAUSED);
        assertThatThrownBy(() -> state.suspend(Phase.YIELDED)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyTheSuspendedResume() {
        assertThatThrownBy(state::resume).isInstanceOf(IllegalStateException.class);
        state.close();
        assertThatThrownBy(state::resume).isInstanceOf(IllegalStateException.class);
    }
}
