package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;

/** The value codec of the cell layout: a header byte, a time to live if the header says so, the value. */
final class CellValues {
    private static final int PLAIN = 0;
    private static final int WITH_TTL = 1;

    private static final Bytes PLAIN_HEAD = Bytes.of(new byte[] {PLAIN});

    private CellValues() {}

    static Bytes head(long ttlMillis) {
        return ttlMillis == Cell.NO_TTL
                ? PLAIN_HEAD
                : new BytesWriter(11).u8(WITH_TTL).varint(ttlMillis).toBytes();
    }

    static long ttlMillis(Bytes stored) {
        int head = stored.isEmpty() ? -1 : stored.at(0);
        return switch (head) {
            case PLAIN -> Cell.NO_TTL;
            case WITH_TTL -> ttl(stored);
            default -> throw Damage.of("A cell's value is damaged", stored);
        };
    }

    private static long ttl(Bytes stored) {
        try {
            return new BytesReader(stored.from(1)).varint();
        } catch (StoreException e) {
            throw Damage.of("A cell's value is damaged", stored);
        }
    }

    static Bytes value(Bytes stored, long ttlMillis) {
        return stored.from(ttlMillis == Cell.NO_TTL ? 1 : 1 + varintLength(ttlMillis));
    }

    private static int varintLength(long value) {
        return Math.max(1, (64 - Long.numberOfLeadingZeros(value) + 6) / 7);
    }
}
