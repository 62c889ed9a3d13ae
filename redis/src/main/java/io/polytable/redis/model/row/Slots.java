package io.polytable.redis.model.row;

import io.polytable.table.Bytes;

/** Redis Cluster's slots: CRC16 (XMODEM) of the key, or of its hash tag when it has one. */
public final class Slots {
    public static final int COUNT = 16384;

    private static final int[] CRC = table();

    private Slots() {}

    /** The hash tag is the text between the first opening brace and the next closing one, unless it is empty. */
    public static int of(Bytes key) {
        int open = indexOf(key, '{', 0);
        if (open >= 0) {
            int close = indexOf(key, '}', open + 1);
            if (close > open + 1) {
                return crc(key.slice(open + 1, close)) & (COUNT - 1);
            }
        }
        return crc(key) & (COUNT - 1);
    }

    /** The shard of a key; shards are equal ranges of slots. */
    public static int shard(Bytes key, int shards) {
        return (int) ((long) of(key) * shards / COUNT);
    }

    private static int indexOf(Bytes bytes, char wanted, int from) {
        for (int i = from; i < bytes.length(); i++) {
            if (bytes.at(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int crc(Bytes bytes) {
        int crc = 0;
        for (int i = 0; i < bytes.length(); i++) {
            crc = ((crc << 8) ^ CRC[((crc >>> 8) ^ bytes.at(i)) & 0xff]) & 0xffff;
        }
        return crc;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc << 1) ^ ((crc & 0x8000) != 0 ? 0x1021 : 0);
            }
            table[i] = crc & 0xffff;
        }
        return table;
    }
}
