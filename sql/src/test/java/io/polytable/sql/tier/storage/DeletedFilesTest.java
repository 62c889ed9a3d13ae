package io.polytable.sql.tier.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleted files are kept for a while, out of the way of new ones, and then removed. */
class DeletedFilesTest {
    private static final String SEGMENT = "shop/shared/t/batch-0000000000000000001.parquet";

    @TempDir
    private Path base = Path.of("");

    private final ManualClock clock = new ManualClock();

    private FileStorage storage(Duration kept) throws IOException {
        FileStorage storage = new FileStorage(base, kept, clock);
        storage.write(SEGMENT, new byte[] {1});
        storage.write("shop/shared/t/manifest.json", new byte[] {2});
        storage.delete(SEGMENT);
        storage.delete("shop/shared/t/manifest.json");
        assertThat(base.resolve("shop")).doesNotExist();
        return storage;
    }

    @Test
    void aFileIsKeptUntilItsTimeIsOver() throws IOException {
        FileStorage storage = storage(Duration.ofHours(1));
        Path kept = FileStorage.deleted(base, SEGMENT);
        clock.advance(Duration.ofMinutes(59));
        storage.removeDeleted();
        assertThat(kept).hasBinaryContent(new byte[] {1});
        clock.advance(Duration.ofMinutes(2));
        storage.removeDeleted();
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void withoutATimeNothingIsKept() throws IOException {
        storage(Duration.ZERO).removeDeleted();
        assertThat(base).isEmptyDirectory();
    }
}
