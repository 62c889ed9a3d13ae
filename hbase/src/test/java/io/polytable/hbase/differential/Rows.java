package io.polytable.hbase.differential;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows of one playing of a history: all of them begin with the same bytes, and nobody else's do. */
record Rows(String prefix) {
    /** What follows the prefix: short, so that histories come back to the same rows, and prefixes of one another. */
    static final List<String> NAMES = List.of("a", "ab", "b", "c", "d");

    byte[] of(String name) {
        return Bytes.toBytes(prefix + name);
    }

    byte[] first() {
        return Bytes.toBytes(prefix);
    }

    /** Behind all of them. */
    byte[] end() {
        return Bytes.toBytes(prefix + "~");
    }

    /** The row as it is shown, whoever's prefix it has. */
    String nameOf(byte[] array, int offset, int length) {
        int skipped = Math.min(prefix.length(), length);
        return new String(array, offset + skipped, length - skipped, StandardCharsets.ISO_8859_1);
    }
}
