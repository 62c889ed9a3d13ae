package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTempDirsTest {
    @TempDir
    Path memory;

    @Test
    void aDirectoryIsCreatedInMemoryIfThereIsEnough() throws IOException {
        Path first = new MemoryTempDirs(memory, 1).create();
        Path second = new MemoryTempDirs(memory, 1).create();
        assertThat(first).isEmptyDirectory().hasParent(memory).isNotEqualTo(second);
    }

    @Test
    void itIsInTheDefaultPlaceOtherwise() throws IOException {
        Path created = new MemoryTempDirs(memory, Long.MAX_VALUE).create();
        assertThat(created).hasParent(Path.of(System.getProperty("java.io.tmpdir")));
        Files.delete(created);
        Files.delete(new MemoryTempDirs(memory.resolve("absent"), 1).create());
    }

    @Test
    void whatAKilledRunLeftIsDeleted() throws IOException {
        Path mine = new MemoryTempDirs(memory, 1).create();
        Path left = Files.createDirectories(memory.resolve("polytable-test-" + Integer.MAX_VALUE + "-1/data"));
        Files.writeString(left.resolve("file"), "content");
        assertThat(new MemoryTempDirs(memory, 1).create()).exists();
        assertThat(left.getParent()).doesNotExist();
        assertThat(mine).exists();
    }
}
