package io.polytable.store.log;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real disk, in files so small that everything crosses their borders. */
class FileLogTest extends CommitLogContract {
    @TempDir
    Path directory;

    @Override
    protected CommitLog openLog() {
        return FileLog.open(
                directory,
                FileLogOptions.defaults().withSegmentBytes(64 << 10).withRetention(0, java.time.Duration.ZERO));
    }
}
