package io.polytable.store.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.merge.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Opening again and closing while the state is in use. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StateTest {
    private static final Bytes KEY = Bytes.utf8("key");

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private State state;

    @SuppressWarnings("NullAway.Init")
    private StateTable table;

    @BeforeEach
    void open() {
        state = State.open(directory.resolve("state"), 1 << 20, 1);
        table = state.table("default");
    }

    @AfterEach
    void close() {
        state.close();
    }

    private static void assertRefused(StoreError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    private Optional<Bytes> readElsewhere() {
        return CompletableFuture.supplyAsync(() -> state.read(table, KEY)).join();
    }

    private void failToReopen() {
        assertThatThrownBy(() -> state.reopen(Map.of(), () -> {
                    throw new IllegalStateException("The log cannot be read");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void afterAFailedReopenReadsAreRefusedUntilOneSucceeds() {
        failToReopen();
        try (Source open = state.scan(table, KeyRange.ALL, Direction.FORWARD)) {
            assertThat(open.next()).isFalse();
            assertRefused(StoreError.TOO_MANY, () -> state.reopen(Map.of(), () -> {}));
            assertThatThrownBy(this::readElsewhere).cause().isInstanceOf(StoreException.class);
        }
        state.reopen(Map.of(), () -> {});
        assertThat(readElsewhere()).isEmpty();
    }
}
