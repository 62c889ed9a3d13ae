package io.polytable.store.engine;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.contract.PersistentStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The engine keeps the contract, whatever its rows are doing in the background. */
class EngineContractTest {
    private static final FileLogOptions LOG =
            FileLogOptions.defaults().withSegmentBytes(1 << 16).withRetention(0, Duration.ZERO);

    /** Rows stay in memory. */
    @Nested
    class Fresh extends Contract {
        @Override
        EngineOptions options() {
            return EngineFixture.lazy();
        }
    }

    /** Rows move to the state as soon as they can, nothing is cached, and replies wait for the disk. */
    @Nested
    class Uncached extends Contract {
        @Override
        EngineOptions options() {
            return EngineFixture.eager()
                    .withMemory(0, 64 << 20)
                    .withGenerations(0, Duration.ZERO)
                    .withDurability(DurabilityMode.ALWAYS);
        }
    }

    /** Every step is followed by a restart. */
    @Nested
    class Restarting extends Contract {
        @Override
        EngineOptions options() {
            return EngineFixture.lazy();
        }

        @Override
        public void betweenSteps() {
            reopen();
        }
    }

    /** Rows move to the state soon and stay in memory too, and replies wait for the disk. */
    @Tag("crash")
    @Nested
    class Always extends Contract {
        @Override
        EngineOptions options() {
            return EngineFixture.eager().withDurability(DurabilityMode.ALWAYS);
        }
    }

    private abstract static class Contract extends PersistentStoreContract {
        abstract EngineOptions options();

        @Override
        protected TableStore open(Path directory) {
            return EmbeddedStore.open(directory, options().withClock(clock()), LOG);
        }

        @Override
        protected void forgetChanges(TableStore opened) {
            EngineFixture.forgetChanges(opened, (Engine) opened);
        }
    }
}
