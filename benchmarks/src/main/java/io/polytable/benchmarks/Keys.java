package io.polytable.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.polytable.table.Bytes;
import io.polytable.table.RowKey;

/** Keys in the form of the Redis frontend: a database byte, a common prefix, twelve digits. Built without formatting. */
final class Keys {
    private static final byte[] TEMPLATE = "\0key:000000000000".getBytes(US_ASCII);

    private Keys() {}

    static byte[] bytes(int number) {
        byte[] key = TEMPLATE.clone();
        int rest = number;
        for (int at = key.length - 1; rest > 0; at--) {
            key[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return key;
    }

    static RowKey row(int number) {
        return new RowKey(Bytes.of(bytes(number)), 1);
    }
}
