package io.polytable.table.testkit;

import io.polytable.table.TableStore;
import io.polytable.table.testkit.contract.TableStoreContract;
import java.nio.file.Path;

class MemoryStoreTest extends TableStoreContract {
    @Override
    protected TableStore open(Path directory) {
        return new MemoryStore(MemoryStore.COMMITS_KEPT, clock());
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        ((MemoryStore) opened).forgetChanges();
    }
}
