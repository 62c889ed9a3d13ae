package io.polytable.redis.model.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyedHashTest {
    private static final Bytes ZEROS = Bytes.of(new byte[KeyedHash.SECRET_BYTES]);

    /** The order on disk hangs on these: they never change. */
    @Test
    void hashesAsItAlwaysDid() {
        KeyedHash hash = new KeyedHash(Bytes.utf8("0123456789abcdef"));

        assertThat(new int[] {
                    hash.of(Bytes.EMPTY),
                    hash.of(Bytes.utf8("a")),
                    hash.of(Bytes.utf8("12345678")),
                    hash.of(Bytes.utf8("123456789"))
                })
                .containsExactly(-1461157866, 2044980319, -2133448866, 88362655);
    }

    @Test
    void dependsOnBytesSecretAndNothingElse() {
        Bytes inside = Bytes.utf8("xxkeyxx").slice(2, 5);

        assertThat(new KeyedHash(ZEROS).of(inside)).isEqualTo(new KeyedHash(ZEROS).of(Bytes.utf8("key")));
        assertThat(new KeyedHash(ZEROS).of(inside))
                .isNotEqualTo(new KeyedHash(Bytes.utf8("another secret!!")).of(inside));
    }

    @Test
    void spreads() {
        KeyedHash hash = new KeyedHash(ZEROS);
        Set<Integer> places = new HashSet<>();
        Set<Integer> highBytes = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            int place = hash.of(Bytes.utf8("key:" + i));
            places.add(place);
            highBytes.add(place >>> 24);
        }

        assertThat(places).hasSizeGreaterThan(9_990);
        assertThat(highBytes).hasSize(256);
    }
}
