package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.move.LiveImport;
import io.polytable.redis.move.VerificationReport;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of a running redis-server move here, and nothing is missed. */
class LiveImportTest {
    @TempDir
    private Path ours;

    @TempDir
    private Path theirs;

    private RedisPeer source;
    private FaceUnderTest face;
    private TestClient client;
    private LiveImport.Source from;

    @BeforeEach
    void start() throws IOException {
        Program.REDIS_SERVER.require();
        source = RedisPeer.start(theirs);
        from = new LiveImport.Source("127.0.0.1", source.port());
        face = new FaceUnderTest(
                new MemoryStore(),
                RedisOptions.defaults()
                        .withPort(0)
                        .withThreads(2)
                        .with("dir", ours.toString())
                        .with("enable-debug-command", "yes"));
        client = face.connect();
    }

    @AfterEach
    void stop() throws IOException {
        source.close();
        face.close();
    }

    private void write(long seed, int count) {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            source.run(PrimaryTest.change(random));
        }
    }

    private String digest() {
        return String.valueOf(source.run("debug", "digest"));
    }

    @Test
    void aWriterLosesNothingWhenTheImportCutsOver() throws Exception {
        write(1, 2000);
        VerificationReport followed = face.face().liveImport().follow(from, false, (done, total) -> {});
        assertThat(followed.sentence()).contains("are the same");
        assertThat(followed.keys()).isPositive();

        AtomicBoolean stops = new AtomicBoolean();
        RedisPeer other = source.another();
        Thread writer = new Thread(() -> {
            for (long i = 0; !stops.get(); i++) {
                other.run("rpush", "written", Long.toString(i));
            }
        });
        writer.start();
        Await.until("the writer writes", () -> !client.call("llen", "written").equals(":0"));
        VerificationReport done = face.face().liveImport().cutOver(from, true, (at, total) -> {});
        assertThat(done.sentence()).contains("are the same");
        // The writer is still held.
        assertThat(client.call("debug", "digest")).isEqualTo("+" + digest());
        assertThat(client.call("role")).contains("master");
        assertThat(client.call("set", "a", "1")).isEqualTo("+OK");
        stops.set(true);
        source.run("client", "unpause");
        writer.join();
        other.close();
    }

    @Test
    void aCopyIsComparedKeyByKey() throws IOException {
        write(2, 2000);
        source.run("select", "3");
        source.run("set", "there", "1", "px", "100000000");
        source.run("select", "0");
        Path notes = ours.resolve("notes");
        VerificationReport report = face.face().liveImport().copy(from, notes, (done, total) -> {});
        assertThat(report.sentence()).contains("are the same");
        assertThat(client.call("debug", "digest")).isEqualTo("+" + digest());
        assertThat(notes).doesNotExist();
    }

    @Test
    void differencesAreReported() throws IOException {
        for (String key : new String[] {"same", "other"}) {
            source.run("set", key, "1");
        }
        source.run("hset", "hash", "f", "v");
        LiveImport imports = face.face().liveImport();
        imports.copy(from, ours.resolve("notes"), (done, total) -> {});
        client.call("set", "extra", "1");
        // A copy restores what differs, and leaves what is more.
        client.call("hset", "hash", "f", "changed");
        VerificationReport report = imports.copy(from, ours.resolve("notes"), (done, total) -> {});
        assertThat(report.isSame()).isFalse();
        assertThat(report.differences()).isEqualTo(1);
        assertThat(report.sentence()).contains("extra").contains("is not in the source");
    }

    @Test
    void anInterruptedCopyContinues() throws IOException {
        for (int i = 0; i < 1000; i++) {
            source.run("set", "k" + i, "v" + i);
        }
        Path notes = ours.resolve("notes");
        assertThatThrownBy(() -> face.face().liveImport().copy(from, notes, (done, total) -> {
                    if (done > 300) {
                        throw new IllegalStateException("stop");
                    }
                }))
                .hasMessage("stop");
        assertThat(Files.readString(notes)).startsWith(from + " 0 ");
        long before = Long.parseLong(client.call("dbsize").substring(1));
        assertThat(before).isBetween(300L, 999L);
        assertThat(face.face()
                        .liveImport()
                        .copy(from, notes, (done, total) -> {})
                        .sentence())
                .contains("1000 keys are the same");
    }

    @Test
    void whatIsHereIsNotRemovedUnasked() {
        client.call("set", "mine", "1");
        assertThatThrownBy(() -> face.face().liveImport().follow(from, false, (done, total) -> {}))
                .isInstanceOf(RedisError.class)
                .hasMessageContaining("--replace");
        assertThat(client.call("get", "mine")).isEqualTo("$1 1");
    }

    /** The server keeps following it, and the keys that it has are no obstacle. */
    @Test
    void aSourceThatWasAwayIsFollowedAgain() throws IOException {
        write(3, 500);
        LiveImport imports = face.face().liveImport();
        imports.follow(from, false, (done, total) -> {});
        int port = source.port();
        source.run("save");
        source.kill();
        Await.until(
                "the source is away", () -> client.call("info", "replication").contains("master_link_status:down"));
        assertThatThrownBy(() -> imports.follow(from, false, (done, total) -> {}))
                .isInstanceOf(RedisError.class)
                .hasMessageContaining("This server tries again");
        assertThat(client.call("role")).contains("slave");
        source = RedisPeer.startOn(port, theirs);
        write(4, 500);
        Await.until(
                "it is followed again", () -> client.call("info", "replication").contains("master_link_status:up"));
        assertThat(imports.follow(from, false, (done, total) -> {}).sentence()).contains("are the same");
        assertThat(client.call("debug", "digest")).isEqualTo("+" + digest());
    }

    @Test
    void aSourceThatAllowsNoReplicasIsNamed() {
        source.run("config", "set", "requirepass", "secret");
        source.run("auth", "secret");
        source.run("acl", "setuser", "copier", "on", ">pw", "~*", "+@all", "-psync", "-sync");
        client.call("config", "set", "masteruser", "copier");
        client.call("config", "set", "masterauth", "pw");
        assertThatThrownBy(() -> face.face().liveImport().follow(from, false, (done, total) -> {}))
                .isInstanceOf(RedisError.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("--copy");
        assertThat(client.call("role")).contains("master");
    }
}
