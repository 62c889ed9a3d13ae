package io.polytable.store;

import io.polytable.store.log.FileLogOptions;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Capability;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.contract.PersistentStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A store of several groups keeps the contract for the tables of one of them. */
class GroupedStoreContractTest extends PersistentStoreContract {
    private static final FileLogOptions LOG =
            FileLogOptions.defaults().withSegmentBytes(1 << 16).withRetention(0, Duration.ZERO);
    private static final int GROUPS = 3;
    private static final int USED = 1;

    @Override
    protected TableStore open(Path directory) {
        Grouping grouping = new Grouping(GROUPS, name -> USED);
        return new OneGroup(
                EmbeddedStore.openGroups(directory, grouping, EngineFixture.lazy(), LOG, Recovery.Progress.NONE));
    }

    /** Of which a single group is used: within that, batches are atomic over all tables. */
    private static final class OneGroup extends ForwardingStore {
        private final GroupedStore groups;

        OneGroup(GroupedStore groups) {
            super(groups);
            this.groups = groups;
        }

        @Override
        public Set<Capability> capabilities() {
            return EnumSet.allOf(Capability.class);
        }
    }

    @Override
    protected Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        Engine engine = ((OneGroup) opened).groups.engines().get(USED);
        long before = engine.end();
        Table filler = opened.create(EngineFixture.spec("filler"));
        Bytes value = Bytes.of(new byte[1 << 12]);
        for (int i = 0; i < 100; i++) {
            opened.commit(new Batch().put(filler, RowKey.whole(Bytes.utf8("f" + i)), value));
            opened.flush();
        }
        engine.settle();
        for (int i = 0; i < 1000 && first(engine) <= before; i++) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static long first(Engine engine) {
        return engine.statistics().values().getOrDefault("log_first_position", 0L);
    }
}
