package io.polytable.table.testkit;

import io.polytable.table.TableStore;
import java.nio.file.Path;

/** The whole contract once more, with every call watched: neither the store nor the kit breaks the rules. */
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
