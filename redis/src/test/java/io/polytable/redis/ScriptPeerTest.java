package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.RedisPeer;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same scripts, here and on a redis-server. */
class ScriptPeerTest {
    @TempDir
    Path directory;

    @Test
    void answersAsRedis() throws IOException {
        Program.REDIS_SERVER.require();
        List<String> differences = new ArrayList<>();
        try (RedisPeer peer = RedisPeer.start(directory)) {
            RedisInProcess ours = new RedisInProcess(InstantSource.system());
            for (String script : scripts()) {
                String[] call = {"eval", script, "1", "key", "one", "two"};
                Object expected = peer.run(Arrays.stream(call).map(Bytes::utf8).toList());
                Object actual = ours.run(call);
                if (!PlainReply.same(actual, expected)) {
                    differences.add(script + "\n   redis " + expected + "\n   ours  " + actual);
                }
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
    }

    private static List<String> scripts() throws IOException {
        try (InputStream in = Objects.requireNonNull(ScriptPeerTest.class.getResourceAsStream("script/scripts.txt"))) {
            return Stream.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", 0))
                    .map(line -> line.replaceAll("^(#![^\\\\]*|)\\\\n", "$1\n"))
                    .toList();
        }
    }
}
