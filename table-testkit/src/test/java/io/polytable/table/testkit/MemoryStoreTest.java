package io.polytable.table.testkit;

import io.polytable.table.Capability;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.contract.TableStoreContract;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

class MemoryStoreTest extends TableStoreContract {
    @Override
    protected TableStore open(Path directory) {
        return new MemoryStore(MemoryStore.COMMITS_KEPT, clock());
    }

    @Override
    protected Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.PERSISTENT));
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        ((MemoryStore) opened).forgetChanges();
    }
}
