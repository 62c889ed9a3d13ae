package io.polytable.entity.embedded.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.cell.CellCodec;
import io.polytable.entity.cell.ReadAs;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;

/** Maps a column's values to SQL types. Values without an SQL type are text, as JSON. */
final class ShownValues {
    private ShownValues() {}

    static ColumnType type(CellSchema schema) {
        return switch (schema.type()) {
            case COUNTER -> ColumnType.BIGINT;
            case RAW_BYTES, PROTOBUF -> ColumnType.BYTES;
            case JSON -> ColumnType.STRING;
            // A specific class may be missing here, and its values may be anything: text.
            case AVRO -> schema.defaultReader().map(ShownValues::type).orElse(ColumnType.STRING);
        };
    }

    private static ColumnType type(Schema schema) {
        return switch (schema.getType()) {
            case INT -> ColumnType.INT;
            case LONG -> ColumnType.BIGINT;
            case FLOAT, DOUBLE -> ColumnType.DOUBLE;
            case BOOLEAN -> ColumnType.BOOLEAN;
            case BYTES, FIXED -> ColumnType.BYTES;
            case UNION -> ofUnion(schema.getTypes());
            default -> ColumnType.STRING;
        };
    }

    /** A union of null and one type is that type, with absent values. */
    private static ColumnType ofUnion(List<Schema> branches) {
        List<Schema> typed = branches.stream()
                .filter(branch -> branch.getType() != Schema.Type.NULL)
                .toList();
        return typed.size() == 1 ? type(typed.get(0)) : ColumnType.STRING;
    }

    static Value value(ColumnType type, CellSchema schema, CellCodec codec, Bytes stored) {
        boolean isPlain = schema.type() == CellType.PROTOBUF;
        if (isPlain) {
            return new Value.OfBytes(stored);
        }
        return value(type, decoded(codec, stored));
    }

    static Object decoded(CellCodec codec, Bytes stored) {
        try {
            return codec.decode(stored, ReadAs.DEFAULT);
        } catch (EntityException e) {
            throw ShownTable.failed(e);
        }
    }

    private static Value value(ColumnType type, Object value) {
        if (value.toString().equals("null") && !(value instanceof CharSequence)) {
            return new Value.Absent();
        }
        return switch (type) {
            case INT -> new Value.OfInt(((Number) value).intValue());
            case BIGINT, TIMESTAMP -> new Value.OfBigint(((Number) value).longValue());
            case DOUBLE -> new Value.OfDouble(((Number) value).doubleValue());
            case BOOLEAN -> new Value.OfBoolean((Boolean) value);
            case BYTES -> new Value.OfBytes(bytes(value));
            case STRING -> new Value.OfString(text(value));
        };
    }

    private static Bytes bytes(Object value) {
        if (value instanceof byte[] array) {
            return Bytes.of(array);
        }
        if (value instanceof GenericFixed fixed) {
            return Bytes.of(fixed.bytes());
        }
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] array = new byte[buffer.remaining()];
        buffer.get(array);
        return Bytes.of(array);
    }

    static String text(Object value) {
        return value instanceof JsonNode tree ? tree.toString() : ValueText.of(value);
    }
}
