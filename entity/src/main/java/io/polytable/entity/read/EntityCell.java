package io.polytable.entity.read;

import io.polytable.entity.cell.CellCodec;
import io.polytable.entity.cell.ReadAs;
import io.polytable.entity.cell.ValueCast;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.ValueMode;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import java.util.Map;

/** A version of a column. The value is decoded on demand. */
public final class EntityCell {
    private final ColumnName column;
    private final long timestamp;
    private final Bytes stored;
    private final CellCodec codec;
    private final ReadAs as;
    private final ValueMode mode;

    EntityCell(ColumnName column, long timestamp, Bytes stored, CellCodec codec, ReadAs as, ValueMode mode) {
        this.column = column;
        this.timestamp = timestamp;
        this.stored = stored;
        this.codec = codec;
        this.as = as;
        this.mode = mode;
    }

    public ColumnName column() {
        return column;
    }

    public long timestamp() {
        return timestamp;
    }

    /** The value as its codec decodes it: Avro, Long, byte array, JSON tree or message. */
    public Object value() {
        return codec.decode(full(), as);
    }

    private Bytes full() {
        if (mode != ValueMode.FULL) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "The request wanted no values", Map.of("column", column.toString()));
        }
        return stored;
    }

    public <T> T value(Class<T> type) {
        return ValueCast.to(type, value());
    }

    /** The value for tools, which may lack the application's classes: as {@link #value()}, or bytes. */
    public CellCodec.Shown shown() {
        return codec.shown(full());
    }

    /** How many bytes are stored. */
    public long storedBytes() {
        return mode == ValueMode.SIZE ? new BytesReader(stored).i64() : stored.length();
    }

    /** The encoded value. */
    public Bytes stored() {
        return stored;
    }

    @Override
    public String toString() {
        return column + "@" + timestamp;
    }
}
