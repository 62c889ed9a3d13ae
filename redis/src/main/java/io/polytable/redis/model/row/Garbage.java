package io.polytable.redis.model.row;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/** The row that a removed collection leaves behind. From it the {@code Sweeper} finds the elements. */
public record Garbage(int home, Type type) {
    private static final int BYTES = 2;

    public static Garbage of(CollectionHeader gone) {
        return new Garbage(gone.home(), gone.type());
    }

    public static Garbage decode(Bytes row) {
        if (row.length() < BYTES) {
            throw new StoreException(StoreError.CORRUPT, "Garbage row is too short", Map.of("row", row));
        }
        return new Garbage(row.at(0) & 0xff, Type.ofTag(row.at(1)));
    }

    public Bytes row() {
        return Bytes.of(new byte[] {(byte) home, (byte) type.tag()});
    }
}
