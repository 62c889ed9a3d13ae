package io.polytable.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.rdb.RdbException;
import io.polytable.redis.model.rdb.RdbImport;
import io.polytable.redis.model.rdb.RdbReader;
import io.polytable.table.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RDB files that are damaged, that lie, or that have what is not stored here: typed errors, and no half values. */
class RdbHostileTest {
    private final RedisInProcess redis = new RedisInProcess(InstantSource.system());

    /** A file of one database without a checksum. */
    private static byte[] file(String... parts) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("REDIS0010".getBytes(US_ASCII));
        for (String part : parts) {
            file.writeBytes(HexFormat.of().parseHex(part));
        }
        file.writeBytes(HexFormat.of().parseHex("ff0000000000000000"));
        return file.toByteArray();
    }

    private byte[] whole() {
        RedisInProcess other = new RedisInProcess(InstantSource.system());
        int number = 0;
        for (DumpCase value : DumpCase.all()) {
            value.commands().forEach(other::run);
            if (((Bytes) other.run("dump", "k")).length() > 500) {
                other.run("del", "k");
            } else {
                other.run("rename", "k", "case" + number++);
            }
        }
        return other.save();
    }

    @Test
    void everyCutIsRefused() {
        byte[] whole = whole();
        for (int length = 0; length < whole.length; length += 1 + length / 50) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> redis.load(cut)).as("cut at %d", length).isInstanceOf(RdbException.class);
        }
    }

    /** The checksum is switched off, so that nothing but the structure can tell. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyFlippedBitIsRefusedOrMakesAnotherFile(long seed) {
        byte[] whole = whole();
        Arrays.fill(whole, whole.length - 8, whole.length, (byte) 0);
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] flipped = whole.clone();
            flipped[9 + random.nextInt(whole.length - 17)] ^= (byte) (1 << random.nextInt(8));
            try {
                redis.load(flipped);
            } catch (RdbException | RedisError refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
        assertThat(redis.run("ping")).isEqualTo("PONG");
    }

    @Test
    void aWrongChecksumIsRefused() {
        byte[] whole = whole();
        whole[whole.length - 1] ^= 1;
        assertThatThrownBy(() -> redis.load(whole))
                .isInstanceOf(RdbException.class)
                .hasMessageContaining("its checksum is wrong");
    }

    /** Nothing of the announced size is allocated, whether the file's end is known or not. */
    @ParameterizedTest
    @CsvSource({
        // A string of 2^62 bytes, one of 1 GiB, a compressed one of 2 GiB.
        "'00 01 6b 81 40 00 00 00 00 00 00 00'",
        "'00 01 6b 80 40 00 00 00'",
        "'00 01 6b c3 05 80 7f ff ff ff 00 61 e0 ff 00'",
        // Collections of 2^32 - 1 elements, and of a negative number of them.
        "'01 01 6b 80 ff ff ff ff'",
        "'04 01 6b 80 ff ff ff ff'",
        "'05 01 6b 80 ff ff ff ff'",
        "'0f 01 6b 80 ff ff ff ff'",
        "'12 01 6b 80 ff ff ff ff'",
        "'02 01 6b 81 ff ff ff ff ff ff ff ff'",
        // Half a set: the second of two members is missing.
        "'02 01 6b 02 01 61'"
    })
    void lengthsThatCannotBeAreRefused(String hex) {
        byte[] file = file(hex.replace(" ", ""));
        assertThatThrownBy(() -> redis.load(file)).isInstanceOf(RdbException.class);
        assertThatThrownBy(() -> loadWithoutKnownEnd(file)).isInstanceOf(RdbException.class);
        assertThat(redis.run("exists", "k")).isEqualTo(0L);
    }

    private void loadWithoutKnownEnd(byte[] file) {
        try (RdbImport imported = new RdbImport(
                redis.keyspace(),
                Families.restores(new RedisConfig()),
                InstantSource.system(),
                (before, source) -> before,
                Origin.BACKGROUND)) {
            RdbReader reader = RdbReader.open(new ByteArrayInputStream(file), Long.MAX_VALUE, imported.memory());
            imported.run(reader, place -> {}, checkpoint -> {});
        }
    }

    @Test
    void anElementThatComesTwiceIsRefusedAlsoBetweenParts() {
        StringBuilder members = new StringBuilder("02016b").append("44b1"); // 1201 members
        for (int i = 0; i < 1200; i++) {
            members.append("02").append(String.format("%04x", i));
        }
        byte[] file = file(members.append("020007").toString());
        assertThatThrownBy(() -> redis.load(file))
                .isInstanceOf(RdbException.class)
                .hasMessageContaining("something is there twice");
        assertThat(redis.run("exists", "k")).isEqualTo(0L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f7 81 12 34 56 78 9a bc de f0 00 | Redis module",
                "07 01 6b 81 12 34 56 78 9a bc de f0 00 | Redis module",
                "f6 00 | release candidate",
                "fe 10 | database 16 does not exist",
                "16 01 6b 00 | the type is unknown"
            })
    void whatIsNotStoredHereIsNamed(String hex, String reason) {
        assertThatThrownBy(() -> redis.load(file(hex.replace(" ", "").strip())))
                .isInstanceOf(RdbException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({"REDIS0012,RDB version 12", "REDIS0000,RDB version 0", "RUDIS0010,no RDB file", "REDI,no RDB file"})
    void otherFilesAreRefused(String head, String reason) {
        assertThatThrownBy(() -> redis.load(head.getBytes(US_ASCII)))
                .isInstanceOf(RdbException.class)
                .hasMessageContaining(reason);
    }

    /** A megabyte of zeros takes some kilobytes of the file; many of them must not take the memory of all. */
    @Test
    void whatExpandsBeyondTheMemoryOfReadsIsRefused() {
        RedisInProcess other = new RedisInProcess(InstantSource.system());
        Bytes zeros = Bytes.of(new byte[1 << 20]);
        for (int i = 0; i < 300; i++) {
            other.run(List.of(Bytes.utf8("xadd"), Bytes.utf8("k"), Bytes.utf8("*"), Bytes.utf8("f"), zeros));
        }
        redis.load(other.save());
        assertThat(redis.run("xlen", "k")).isEqualTo(300L);
    }
}
