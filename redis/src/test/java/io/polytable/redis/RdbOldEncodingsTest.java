package io.polytable.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.RedisPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encodings that only older versions of Redis wrote, made by hand: a redis-server loads them as this server does. */
class RdbOldEncodingsTest {
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private void add(String hex) {
        file.writeBytes(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(US_ASCII));
    }

    /** A length of one byte, then the text. */
    private static String string(String text) {
        return String.format("%02x", text.length()) + hex(text);
    }

    private static String blob(String hex) {
        String bytes = hex.replace(" ", "");
        return String.format("40%02x", bytes.length() / 2) + bytes;
    }

    private static String littleEndian(int value, int bytes) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            hex.append(String.format("%02x", (value >>> (8 * i)) & 0xff));
        }
        return hex.toString();
    }

    /** A ziplist of short texts. */
    private static String ziplist(List<String> values) {
        StringBuilder entries = new StringBuilder();
        int before = 0;
        int lastAt = 10;
        for (String value : values) {
            lastAt = 10 + entries.length() / 2;
            entries.append(String.format("%02x%02x", before, value.length())).append(hex(value));
            before = 2 + value.length();
        }
        int total = 10 + entries.length() / 2 + 1;
        return littleEndian(total, 4) + littleEndian(lastAt, 4) + littleEndian(values.size(), 2) + entries + "ff";
    }

    /** A listpack with the one entry of a stream: field f, value v. */
    private static String streamNode() {
        // Count 1, deleted 0, one field "f", end of the master entry; flags, id deltas, value "v", its length.
        String entries = "0101 0001 0101 8166 02 0001 0201 0001 0001 8176 02 0401";
        String bytes = entries.replace(" ", "");
        int total = 6 + bytes.length() / 2 + 1;
        return littleEndian(total, 4) + littleEndian(10, 2) + bytes + "ff";
    }

    @Test
    void oldFilesAreReadAsRedisReadsThem(@TempDir Path first, @TempDir Path second) throws IOException {
        file.writeBytes("REDIS0009".getBytes(US_ASCII));
        add("fa" + string("redis-ver") + string("3.0.0"));
        add("fe00 fb0a00");
        add("01" + string("list") + "03" + string("a") + string("b") + "c07f");
        add("0a" + string("ziplist") + blob(ziplist(List.of("x", "yy", "zzz"))));
        add("0e" + string("quicklist") + "02" + blob(ziplist(List.of("1st", "2nd"))) + blob(ziplist(List.of("3rd"))));
        add("03" + string("scores as texts") + "03" + string("low") + "ff" + string("high") + "fe" + string("mid")
                + string("1.5"));
        add("0c" + string("packed scores") + blob(ziplist(List.of("m", "1.25", "n", "inf"))));
        add("0d" + string("packed hash") + blob(ziplist(List.of("field", "value", "other", "text"))));
        // A zipmap: count, then field, value and the free bytes behind it.
        add("09" + string("zipmap")
                + blob("02" + string("f") + "0300" + hex("abc") + string("g") + "0101" + hex("z") + "00" + "ff"));
        // Deadlines in seconds, and hints about the last use.
        add("fd" + littleEndian(2_000_000_000, 4) + "f805" + "00" + string("seconds") + string("v"));
        add("fd" + littleEndian(1_000_000_000, 4) + "00" + string("expired long ago") + string("v"));
        add("f9ff" + "00" + string("frequent") + "c3 05 0a 00 61 e0 00 00".replace(" ", ""));
        add("fe03");
        // A stream before 7.0: no first id, no counters; one group with one pending entry.
        add("0f" + string("stream") + "01" + "10" + "0000000000000005" + "0000000000000001" + blob(streamNode())
                + "01" + "05" + "01" + "01" + string("group") + "05" + "01" + "01"
                + "0000000000000005" + "0000000000000001" + "0100000000000000" + "01"
                + "01" + string("consumer") + "0200000000000000" + "01" + "0000000000000005" + "0000000000000001");
        add("ff 0000000000000000");
        Files.write(first.resolve("dump.rdb"), file.toByteArray());

        RedisInProcess ours = new RedisInProcess(InstantSource.system());
        assertThat(ours.load(file.toByteArray()).expired()).isOne();
        assertThat(ours.run("expiretime", "seconds")).isEqualTo(2_000_000_000L);
        Files.write(second.resolve("dump.rdb"), ours.save());
        try (RedisPeer theirs = RedisPeer.start(first, "--enable-debug-command", "yes");
                RedisPeer again = RedisPeer.start(second, "--enable-debug-command", "yes")) {
            assertThat(theirs.run("dbsize")).isEqualTo(9L);
            assertThat(again.run("debug", "digest")).isEqualTo(theirs.run("debug", "digest"));
            for (RedisPeer peer : List.of(theirs, again)) {
                peer.run("select", "3");
            }
            for (String question : List.of("groups", "stream")) {
                assertThat(again.run("xinfo", question, "stream")).isEqualTo(theirs.run("xinfo", question, "stream"));
            }
            assertThat(again.run("xpending", "stream", "group")).isEqualTo(theirs.run("xpending", "stream", "group"));
        }
    }
}
