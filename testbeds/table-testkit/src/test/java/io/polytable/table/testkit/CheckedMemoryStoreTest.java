package io.polytable.table.testkit;

import io.polytable.table.TableStore;
import java.nio.file.Path;

/** The contract with every call checked: neither the store nor the kit violates it. */
class CheckedMemoryStoreTest extends MemoryStoreTest {
    @Override
    protected TableStore open(Path directory) {
        return new CheckedStore(super.open(directory));
    }

    @Override
    protected void forgetChanges(TableStore opened) {
        super.forgetChanges(((CheckedStore) opened).beneath());
    }
}
