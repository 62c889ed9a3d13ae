package io.polytable.table.testkit.history;

import io.polytable.table.TableStore;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;

class MemoryHistoryTest extends HistoryContract {
    @Override
    protected TableStore open(Path directory) {
        return new MemoryStore();
    }

    @Override
    protected boolean isPersistent() {
        return false;
    }
}
