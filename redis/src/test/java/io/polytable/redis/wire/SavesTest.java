package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RDB files that nobody asks for by SAVE: those of the parameter {@code save}, and that of SHUTDOWN. */
class SavesTest {
    @TempDir
    private Path directory;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private FaceUnderTest face;
    private TestClient client;

    @BeforeEach
    void start() {
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.with("dir", directory.toString()));
        face.face().onShutdown(stopped::countDown);
        client = face.connect();
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private Path file() {
        return directory.resolve("dump.rdb");
    }

    @Test
    void enoughChangesAreSavedAfterTheTime() {
        client.call("config", "set", "save", "1 2");
        client.call("set", "a", "1");
        client.call("set", "b", "1");
        Await.until("a file is saved", () -> Files.exists(file()));
        Await.until("the save is over", () -> client.call("info", "persistence").contains("rdb_saves:1\r\n"));
        assertThat(client.call("info", "persistence")).contains("rdb_changes_since_last_save:0\r\n");
    }

    @Test
    void shutdownSavesIfItIsAskedTo() {
        client.call("set", "a", "1");
        client.send("shutdown", "save");
        Await.opened(stopped);
        assertThat(file()).exists();
    }

    @Test
    void shutdownSavesWhereSavePointsAreSet() {
        client.call("config", "set", "save", "3600 1");
        client.send("shutdown");
        Await.opened(stopped);
        assertThat(file()).exists();
    }

    @Test
    void shutdownDoesNotSaveOtherwise() {
        client.send("shutdown");
        Await.opened(stopped);
        assertThat(file()).doesNotExist();
    }

    @Test
    void aFailedSaveRefusesAShutdownThatIsNotForced() throws IOException {
        Files.createDirectory(file());
        Files.createFile(file().resolve("something"));
        assertThat(client.call("shutdown", "save")).isEqualTo("-ERR Errors trying to SHUTDOWN. Check logs.");
        client.send("shutdown", "save", "force");
        Await.opened(stopped);
    }
}
