package io.polytable.store.partition;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineFixture;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.contract.PersistentStoreContract;
import java.nio.file.Path;
import java.time.Duration;

/** A store of several partitions keeps the contract for the tables of one of them. */
class PartitionedStoreContractTest extends PersistentStoreContract {
    private static final FileLogOptions LOG =
            FileLogOptions.defaults().withSegmentBytes(1 << 16).withRetention(0, Duration.ZERO);
    private static final int PARTITIONS = 2;
    private static final int USED = 1;

    @Override
    protected TableStore open(Path directory) {
        Partitioning partitioning = new Partitioning(PARTITIONS, name -> USED);
        return new OnePartition(EmbeddedStore.openPartitions(
                directory, partitioning, EngineFixture.lazy().withClock(clock()), LOG, Recovery.Progress.NONE));
    }

    /** Of which a single partition is used: within that, batches are atomic over all tables. */
    private static final class OnePartition extends ForwardingStore {
        private final PartitionedStore partitions;

        OnePartition(PartitionedStore partitions) {
            super(partitions);
            this.partitions = partitions;
        }
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        EngineFixture.forgetChanges(
                opened, ((OnePartition) opened).partitions.engines().get(USED));
    }
}
