package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Progress;
import io.polytable.redis.command.RedisPeer;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports that are interrupted continue, and large keys take little memory. */
class RdbFilesTest {
    private static final int STRINGS = 40;
    private static final int STRING_BYTES = 2 << 20;
    private static final RdbFiles.ImportOptions USUAL = new RdbFiles.ImportOptions(false, false);

    @TempDir
    private Path directory;

    private static RdbFiles files(RedisInProcess redis) {
        return new RdbFiles(redis.keyspace(), new RedisConfig(), redis.functions(), InstantSource.system());
    }

    private static RedisInProcess withReads(long bytes) {
        return new RedisInProcess(
                InstantSource.system(), Keyspace.open(new MemoryStore(), 0, RedisMemory.withReads(bytes)));
    }

    private static Bytes noise(int seed) {
        byte[] bytes = new byte[STRING_BYTES];
        new Random(seed).nextBytes(bytes);
        return Bytes.of(bytes);
    }

    @Test
    void anInterruptedImportContinuesWhereItWas() throws IOException {
        RedisInProcess source = new RedisInProcess(InstantSource.system());
        for (int i = 0; i < STRINGS; i++) {
            source.run("select", Integer.toString(i % 2));
            source.run(List.of(Bytes.utf8("set"), Bytes.utf8("k" + i), noise(i)));
        }
        Path file = directory.resolve("large.rdb");
        Path notes = directory.resolve("notes");
        files(source).exportTo(file, Progress.NONE);
        RedisInProcess target = new RedisInProcess(InstantSource.system());
        long stop = Files.size(file) * 3 / 4;
        assertThatThrownBy(() -> files(target).importFrom(file, notes, USUAL, (done, total) -> {
                    if (done > stop) {
                        throw new CancellationException("killed");
                    }
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(notes).exists();

        AtomicLong first = new AtomicLong(-1);
        assertThat(files(target)
                        .importFrom(file, notes, USUAL, (done, total) -> first.compareAndSet(-1, done))
                        .keys())
                .isEqualTo(STRINGS);
        assertThat(first.get()).isBetween(Files.size(file) / 4, stop);
        assertThat(notes).doesNotExist();
        for (int i = 0; i < STRINGS; i++) {
            target.run("select", Integer.toString(i % 2));
            assertThat(target.run("get", "k" + i)).isEqualTo(noise(i));
        }
    }

    @Test
    void functionsTravelToo() throws IOException {
        RedisInProcess source = new RedisInProcess(InstantSource.system());
        source.run(
                "function",
                "load",
                "#!lua name=lib\nredis.register_function('twice', function(k, a) return 2 * a[1] end)");
        source.run("set", "k", "v");
        Path file = directory.resolve("functions.rdb");
        files(source).exportTo(file, Progress.NONE);
        RedisInProcess target = new RedisInProcess(InstantSource.system());
        target.run("function", "load", "#!lua name=lib\nredis.register_function('old', function() end)");
        assertThat(files(target)
                        .importFrom(file, directory.resolve("notes"), USUAL, Progress.NONE)
                        .functions())
                .isOne();
        assertThat(target.run("fcall", "twice", "0", "21")).isEqualTo(42L);
        assertThat(target.run("fcall", "old", "0")).asString().startsWith("error:");
        Files.copy(file, directory.resolve("dump.rdb"));
        try (RedisPeer peer = RedisPeer.start(directory)) {
            assertThat(peer.run("fcall", "twice", "0", "21")).isEqualTo(42L);
        }
        RedisInProcess without = new RedisInProcess(InstantSource.system());
        RdbFiles.ImportOptions skips = new RdbFiles.ImportOptions(true, false);
        files(without).importFrom(file, directory.resolve("notes"), skips, Progress.NONE);
        assertThat(without.run("fcall", "twice", "0", "21")).asString().startsWith("error:");
        assertThat(without.run("get", "k")).isEqualTo(Bytes.utf8("v"));
    }

    /** A note of a file that has changed since is not used. */
    @Test
    void anImportOfAnotherFileBeginsAtItsBeginning() throws IOException {
        Path file = directory.resolve("small.rdb");
        Path notes = directory.resolve("notes");
        RedisInProcess source = new RedisInProcess(InstantSource.system());
        source.run("set", "k", "v");
        files(source).exportTo(file, Progress.NONE);
        Files.writeString(notes, "source=" + file + " 17 4\noffset=3\nchecksum=0\nversion=10\ndatabase=0\nkeys=0\n");
        RedisInProcess target = new RedisInProcess(InstantSource.system());
        assertThat(files(target).importFrom(file, notes, USUAL, Progress.NONE).keys())
                .isOne();
    }

    /** Of collections that are many times as large as the memory for reads, no more than parts are held. */
    @Test
    void collectionsOfAnySizeAreReadAndWrittenInParts() throws IOException {
        int elements = 120_000;
        RedisInProcess source = withReads(2 << 20);
        String filler = "x".repeat(70);
        for (int from = 0; from < elements; from += 1000) {
            List<List<String>> calls = new ArrayList<>(List.of(
                    new ArrayList<>(List.of("rpush", "list")),
                    new ArrayList<>(List.of("sadd", "set")),
                    new ArrayList<>(List.of("hset", "hash")),
                    new ArrayList<>(List.of("zadd", "zset"))));
            for (int i = from; i < from + 1000; i++) {
                calls.get(0).add(filler + i);
                calls.get(1).add(filler + i);
                calls.get(2).addAll(List.of(filler + i, "v" + i));
                calls.get(3).addAll(List.of(Integer.toString(i % 777), filler + i));
            }
            calls.forEach(call -> source.run(call.toArray(String[]::new)));
        }
        for (int i = 1; i <= elements / 4; i++) {
            source.run("xadd", "stream", i + "-0", "field", filler + i);
        }
        source.run("pexpireat", "hash", "4000000000000");
        Path file = directory.resolve("collections.rdb");
        files(source).exportTo(file, Progress.NONE);

        RedisInProcess target = withReads(2 << 20);
        assertThat(files(target)
                        .importFrom(file, directory.resolve("notes"), USUAL, Progress.NONE)
                        .keys())
                .isEqualTo(5);
        for (String[] question : new String[][] {
            {"llen", "list"},
            {"lindex", "list", "77777"},
            {"scard", "set"},
            {"sismember", "set", filler + "99999"},
            {"hlen", "hash"},
            {"hget", "hash", filler + "54321"},
            {"pexpiretime", "hash"},
            {"zcard", "zset"},
            {"zrank", "zset", filler + "54321"},
            {"xlen", "stream"},
            {"xrange", "stream", "20000", "20002"},
            {"xinfo", "stream", "stream"}
        }) {
            assertThat(target.run(question)).as("%s", List.of(question)).isEqualTo(source.run(question));
        }
    }
}
