package io.polytable.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDirectoryTest {
    @TempDir
    private Path directory;

    private static void write(Path log, String text) throws IOException {
        Files.createDirectories(log);
        Files.writeString(log.resolve("content"), text);
    }

    @Test
    void aLogThatWasToTakeTheFormersPlaceDoesSoWhenThatIsGone() throws IOException {
        write(StoreDirectory.nextLogOf(directory), "new");
        assertThat(StoreDirectory.presentLogOf(directory).resolve("content")).hasContent("new");
        StoreDirectory.lock(directory).close();
        assertThat(StoreDirectory.logOf(directory).resolve("content")).hasContent("new");
        assertThat(StoreDirectory.nextLogOf(directory)).doesNotExist();
    }

    @Test
    void andDoesNotAsLongAsTheFormerIsThere() throws IOException {
        write(StoreDirectory.logOf(directory), "former");
        write(StoreDirectory.nextLogOf(directory), "half of the new");
        assertThat(StoreDirectory.presentLogOf(directory)).isEqualTo(StoreDirectory.logOf(directory));
        StoreDirectory.lock(directory).close();
        assertThat(StoreDirectory.logOf(directory).resolve("content")).hasContent("former");
    }

    @Test
    void aChangeThatCannotBeFinishedDoesNotKeepTheLock() throws IOException {
        write(StoreDirectory.nextLogOf(directory), "new");
        // No directory can be renamed to it, and it leads nowhere: there is no log.
        Path log = Files.createSymbolicLink(StoreDirectory.logOf(directory), directory.resolve("nowhere"));
        assertRefused(StoreError.IO);
        Files.delete(log);
        StoreDirectory.lock(directory).close();
        assertThat(log.resolve("content")).hasContent("new");
    }

    @Test
    void theLastHolderLetsGo() {
        StoreDirectory held = StoreDirectory.lock(directory);
        held.share().close();
        assertRefused(StoreError.IN_USE);
        held.close();
        StoreDirectory.lock(directory).close();
    }

    private void assertRefused(StoreError error) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> StoreDirectory.lock(directory))
                .satisfies(refused -> assertThat(refused.error()).isEqualTo(error));
    }

    @Test
    void aDirectoryThatIsClearedHasNoLogInWaiting() throws IOException {
        write(StoreDirectory.logOf(directory), "former");
        write(StoreDirectory.nextLogOf(directory), "half of the new");
        try (StoreDirectory held = StoreDirectory.lock(directory)) {
            held.clear();
        }
        StoreDirectory.lock(directory).close();
        assertThat(StoreDirectory.logOf(directory)).doesNotExist();
    }
}
