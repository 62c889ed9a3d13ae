package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.FunctionDumps;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries move between this server and a redis-server. */
class FunctionPeerTest {
    private static final String ONE =
            "#!lua name=one\nredis.register_function('f', function() return 'from one' end)\n";
    private static final String TWO = "#!lua name=two\n--" + " a long comment".repeat(50)
            + "\nredis.register_function{function_name='g', description='d', flags={'no-writes'}, callback=function() "
            + "return 'from two' end}\n";

    @TempDir
    Path directory;

    private static List<Bytes> words(String... words) {
        return Stream.of(words).map(Bytes::utf8).toList();
    }

    @Test
    void aDumpOfRedisIsRestoredHere() throws IOException {
        Program.REDIS_SERVER.require();
        try (RedisPeer peer = RedisPeer.start(directory)) {
            RedisInProcess ours = new RedisInProcess(InstantSource.system());
            peer.run(words("function", "load", ONE));
            peer.run(words("function", "load", TWO));
            Bytes dump = (Bytes) peer.run(words("function", "dump"));
            ours.run("function", "load", ONE.replace("from one", "older"));
            assertThat(ours.run(List.of(Bytes.utf8("function"), Bytes.utf8("restore"), dump)))
                    .isEqualTo("error: ERR Library one already exists");
            ours.run(List.of(Bytes.utf8("function"), Bytes.utf8("restore"), dump, Bytes.utf8("replace")));
            assertThat(ours.run("fcall", "f", "0")).isEqualTo(Bytes.utf8("from one"));
            assertThat(ours.run("fcall_ro", "g", "0")).isEqualTo(Bytes.utf8("from two"));
        }
    }

    @Test
    void redisRestoresWhatIsWrittenForItsVersion() throws IOException {
        Program.REDIS_SERVER.require();
        try (RedisPeer peer = RedisPeer.start(directory)) {
            DumpFormat format = new DumpFormat(DumpFormat.Version.OF_7_0, PackingLimits.STANDARD, true);
            Bytes dump = FunctionDumps.write(words(ONE, TWO), format);
            peer.run(List.of(Bytes.utf8("function"), Bytes.utf8("restore"), dump));
            assertThat(peer.run(words("fcall", "f", "0"))).isEqualTo(Bytes.utf8("from one"));
            assertThat(peer.run(words("fcall", "g", "0"))).isEqualTo(Bytes.utf8("from two"));
        }
    }
}
