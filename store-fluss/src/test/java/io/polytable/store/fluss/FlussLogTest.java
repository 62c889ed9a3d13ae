package io.polytable.store.fluss;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.CommitLogContract;
import org.junit.jupiter.api.AfterEach;

/** The contract against a real cluster. */
class FlussLogTest extends CommitLogContract {
    private final LogFixture fixture = new LogFixture();

    @Override
    protected CommitLog openLog() {
        return fixture.open();
    }

    @AfterEach
    void letGo() {
        fixture.close();
    }
}
