package io.polytable.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.FileLogOptions;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Capability;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.contract.PersistentStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;

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

    /** Rows move to the state as soon as they can, and nothing is cached. */
    @Nested
    class Settling extends Contract {
        @Override
        EngineOptions options() {
            return EngineFixture.eager().withMemory(0, 64 << 20).withGenerations(0, Duration.ZERO);
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

    /** Replies wait for the disk. */
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
            return EmbeddedStore.open(directory, options(), LOG);
        }

        @Override
        protected Set<Capability> capabilities() {
            return EnumSet.allOf(Capability.class);
        }

        @Override
        protected void forgetChanges(TableStore opened) {
            Engine engine = (Engine) opened;
            long before = engine.statistics().values().getOrDefault("log_end_position", 0L);
            Table filler = engine.create(EngineFixture.spec("filler"));
            Bytes value = Bytes.of(new byte[1 << 12]);
            for (int i = 0; i < 100; i++) {
                engine.commit(new Batch().put(filler, RowKey.whole(Bytes.utf8("f" + i)), value));
                engine.flush();
            }
            engine.settle();
            for (int i = 0; i < 1000 && first(engine) <= before; i++) {
                LockSupport.parkNanos(5_000_000);
            }
            assertThat(first(engine)).isGreaterThan(before);
        }

        private static long first(Engine engine) {
            return engine.statistics().values().getOrDefault("log_first_position", 0L);
        }
    }
}
