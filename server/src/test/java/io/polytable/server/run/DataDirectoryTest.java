package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    void createsADirectoryThatOthersCannotRead() throws IOException {
        Path path = directory.resolve("a/b");
        try (DataDirectory held = DataDirectory.createAndHold(path).orElseThrow()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(held.path())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void oneHolderAtATime() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("x")));
        try (DataDirectory held =
                DataDirectory.createAndHold(directory.resolve("x")).orElseThrow()) {
            assertThat(DataDirectory.createAndHold(held.path())).isEmpty();
            assertThat(DataDirectory.holdExisting(link)).isEmpty();
        }
        DataDirectory.holdExisting(link).orElseThrow().close();
    }

    @Test
    void aPathThatCannotBeIsRefused() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> DataDirectory.createAndHold(file))
                .isInstanceOf(RefusedException.class)
                .hasMessage("The data directory " + file + " cannot be created: " + file + " is a file");
        assertThatThrownBy(() -> DataDirectory.createAndHold(file.resolve("below")))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("The data directory " + file.resolve("below") + " cannot be created: ");
        assertThatThrownBy(() -> DataDirectory.holdExisting(directory.resolve("missing")))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "There is no data directory " + directory.resolve("missing") + "; --data.dir says which one");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileSystemWithoutNewDirectoriesIsNamedAsTheReason() {
        assertThatThrownBy(() -> DataDirectory.createAndHold(Path.of("/proc/polytable")))
                .isInstanceOf(RefusedException.class)
                .hasMessage("The data directory /proc/polytable cannot be created: its file system does not allow new"
                        + " directories; choose another one with --data.dir");
    }

    @Test
    void whatADeadServerLeftIsRemoved() throws IOException {
        ServerFile.of(InetAddress.getLoopbackAddress(), 1, Optional.empty()).write(directory);
        try (DataDirectory held = DataDirectory.holdExisting(directory).orElseThrow()) {
            assertThat(ServerFile.read(held.path())).isEmpty();
        }
    }

    @Test
    void aServerFileSaysWhereToGo() throws IOException {
        ServerFile written = ServerFile.of(new InetSocketAddress(0).getAddress(), 8080, Optional.empty());
        assertThat(written.host()).isEqualTo(InetAddress.getLoopbackAddress().getHostAddress());
        written.write(directory);
        assertThat(ServerFile.read(directory)).contains(written);
        Files.writeString(directory.resolve("polytable.server"), "nonsense\n\n\n");
        assertThat(ServerFile.read(directory)).isEmpty();
    }
}
