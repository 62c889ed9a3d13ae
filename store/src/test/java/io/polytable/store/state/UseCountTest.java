package io.polytable.store.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom the gate around RocksDB lets in. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UseCountTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    private final UseCount gate = new UseCount();

    private void assertOthersRefused() {
        assertThatThrownBy(() -> CompletableFuture.runAsync(gate::enter).join())
                .cause()
                .isInstanceOf(StoreException.class);
    }

    @Test
    void anOpenGateIsOpenAgainIfACallDoesNotLeave() {
        gate.enter();
        assertThat(gate.shut(SHORT)).isFalse();
        assertThat(gate.isOpen()).isTrue();
        CompletableFuture.runAsync(gate::enter).join();
    }

    /** Nothing is open behind it: whoever entered would crash the process. */
    @Test
    void aGateThatRefusesStaysShutIfACallDoesNotLeave() {
        assertThat(gate.shut(SHORT)).isTrue();
        gate.enter();
        gate.refuse(new StoreException(StoreError.IO, "The state could not be opened again"));
        assertThatThrownBy(gate::enter).isInstanceOf(StoreException.class);
        assertThat(gate.shut(SHORT)).isFalse();
        assertThat(gate.isOpen()).isFalse();
        assertOthersRefused();
    }
}
