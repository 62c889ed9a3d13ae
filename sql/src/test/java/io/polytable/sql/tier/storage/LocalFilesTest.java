package io.polytable.sql.tier.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.tier.manifest.Segment;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {
    @TempDir
    private Path directory = Path.of("");

    /** The log lost the commit of the first file, and the second got its number. */
    @Test
    void aNumberThatIsUsedAgainFindsItsOwnFile() throws IOException {
        try (MemoryStore store = new MemoryStore();
                Storages storages = new Storages(
                        store,
                        directory.resolve("local"),
                        directory.resolve("staging"),
                        StorageLimits.NONE,
                        InstantSource.system())) {
            LocalFiles files = new LocalFiles(directory.resolve("cache"), storages, 1 << 20);
            // A storage that is newer than the cache: its files have copies there.
            storages.create(
                    "later",
                    "filesystem",
                    Map.of("path", directory.resolve("later").toString()));
            assertThat(content(files, segment("one", "first"))).isEqualTo("first");
            assertThat(content(files, segment("two", "other"))).isEqualTo("other");
        }
    }

    private static String content(LocalFiles files, Segment segment) throws IOException {
        Path file = files.pin(segment);
        try {
            return Files.readString(file);
        } finally {
            files.release(file);
        }
    }

    private Segment segment(String name, String content) throws IOException {
        Path file = directory.resolve("later").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return new Segment(
                7,
                7,
                "later",
                name,
                1,
                1,
                0,
                0,
                content.length(),
                Optional.of(FileChecksum.of(file)),
                Bytes.EMPTY,
                Bytes.EMPTY,
                Instant.EPOCH);
    }
}
