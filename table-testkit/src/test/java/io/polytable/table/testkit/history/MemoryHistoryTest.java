package io.polytable.table.testkit.history;

import io.polytable.table.Capability;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

class MemoryHistoryTest extends HistoryContract {
    @Override
    protected TableStore open(Path directory) {
        return new MemoryStore();
    }

    @Override
    protected Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.PERSISTENT));
    }
}
