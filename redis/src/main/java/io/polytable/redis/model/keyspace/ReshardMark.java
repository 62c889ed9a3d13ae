package io.polytable.redis.model.keyspace;

import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.TableStore;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The row of a store whose keys are on their way to another number of shards; such a store serves nobody.
 *
 * @param rows the sum of all rows before the first of them moved
 */
public record ReshardMark(int shards, RowSum rows) {
    public static final RowKey ROW = RowKey.whole(Bytes.utf8("reshard"));

    private static final int BYTES = 1 + 2 * Long.BYTES;

    public Bytes row() {
        return Bytes.of(ByteBuffer.allocate(BYTES)
                .put((byte) shards)
                .putLong(rows.rows())
                .putLong(rows.sum())
                .array());
    }

    /** The mark of a store, if it has one. */
    public static Optional<ReshardMark> find(TableStore store) {
        return store.find(RedisTables.SETTINGS_TABLE)
                .flatMap(settings -> store.read(settings, ROW))
                .map(ReshardMark::decode);
    }

    static ReshardMark decode(Bytes row) {
        ByteBuffer bytes = ByteBuffer.wrap(row.toByteArray());
        return new ReshardMark(bytes.get(), new RowSum(bytes.getLong(), bytes.getLong()));
    }
}
