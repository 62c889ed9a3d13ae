package io.polytable.store.fluss;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.contract.PersistentStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The engine keeps the whole contract of stores on a log in Fluss. */
class FlussStoreContractTest {
    /** Rows stay in memory, so that a restart finds them in Fluss alone. */
    @Nested
    class Fresh extends Contract {
        @Override
        EngineOptions options() {
            return EngineOptions.DEFAULT.withMemory(64 << 20, 64 << 20).withGenerations(1 << 30, Duration.ofDays(1));
        }
    }

    /** Rows move to the state as soon as they can, and nothing is cached: as over a log in files, but for the log. */
    @Tag("crash")
    @Nested
    class Uncached extends Contract {
        @Override
        EngineOptions options() {
            return EngineOptions.DEFAULT.withMemory(0, 64 << 20).withGenerations(0, Duration.ZERO);
        }
    }

    private static final FlussLogOptions OPTIONS =
            FlussLogOptions.of("contract").withLease(LogFixture.LEASE).withClaimMax(Duration.ofSeconds(30));

    private abstract static class Contract extends PersistentStoreContract {
        private final LogFixture fixture = new LogFixture(OPTIONS);

        abstract EngineOptions options();

        @Override
        protected TableStore open(Path directory) {
            return EmbeddedStore.open(
                    StoreDirectory.lock(directory),
                    options().withClock(clock()),
                    fixture::openIn,
                    Recovery.Progress.NONE);
        }

        @Override
        protected void forgetChanges(TableStore opened) {
            FlussLog log = fixture.last();
            log.trim(log.end(), 0);
        }
    }
}
