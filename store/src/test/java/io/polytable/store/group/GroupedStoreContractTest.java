package io.polytable.store.group;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineFixture;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.contract.PersistentStoreContract;
import java.nio.file.Path;
import java.time.Duration;

/** A store of several groups keeps the contract for the tables of one of them. */
class GroupedStoreContractTest extends PersistentStoreContract {
    private static final FileLogOptions LOG =
            FileLogOptions.defaults().withSegmentBytes(1 << 16).withRetention(0, Duration.ZERO);
    private static final int GROUPS = 2;
    private static final int USED = 1;

    @Override
    protected TableStore open(Path directory) {
        Grouping grouping = new Grouping(GROUPS, name -> USED);
        return new OneGroup(EmbeddedStore.openGroups(
                directory, grouping, EngineFixture.lazy().withClock(clock()), LOG, Recovery.Progress.NONE));
    }

    /** Of which a single group is used: within that, batches are atomic over all tables. */
    private static final class OneGroup extends ForwardingStore {
        private final GroupedStore groups;

        OneGroup(GroupedStore groups) {
            super(groups);
            this.groups = groups;
        }
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        EngineFixture.forgetChanges(opened, ((OneGroup) opened).groups.engines().get(USED));
    }
}
