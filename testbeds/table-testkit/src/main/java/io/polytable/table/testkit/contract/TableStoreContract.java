package io.polytable.table.testkit.contract;

import io.polytable.table.TableStore;
import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of {@link TableStore}. A store's test extends this class, or {@link PersistentStoreContract} if its rows
 * survive a restart, and runs it once for each variant of {@link #betweenSteps()}.
 */
public abstract class TableStoreContract
        implements ReadContract,
                ScanContract,
                CursorContract,
                SeekContract,
                BatchContract,
                RangeDeleteContract,
                SnapshotContract,
                FeedContract,
                OldValuesContract,
                CatalogContract,
                StreamExpiryContract,
                LimitContract,
                ConcurrencyContract,
                CloseContract {
    private final ManualClock clock = new ManualClock();
    private @Nullable TableStore store;

    @TempDir
    @Nullable
    Path directory;

    /** Opens the store in the directory, which is empty at first; its rows expire by {@link #clock()}. */
    protected abstract TableStore open(Path directory);

    /** Makes every position before now expire. */
    protected abstract void forgetChanges(TableStore opened);

    @BeforeEach
    void openStore() {
        store = open(directory());
    }

    @AfterEach
    void closeStore() {
        store().close();
    }

    /** Closes the store and opens it again. */
    protected final void reopen() {
        store().close();
        store = open(directory());
    }

    protected final Path directory() {
        if (directory == null) {
            throw new IllegalStateException("the test's directory is not there yet");
        }
        return directory;
    }

    @Override
    public final TableStore store() {
        if (store == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return store;
    }

    @Override
    public final ManualClock clock() {
        return clock;
    }

    @Override
    public void betweenSteps() {
        // Nothing by default; subclasses may add an action without a visible effect.
    }

    @Override
    public final void forgetChanges() {
        forgetChanges(store());
    }
}
