package io.polytable.entity.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/** Converts decoded values to the Java type that a caller requests. */
public final class ValueCast {
    private ValueCast() {}

    /** The value as the type, if the conversion is lossless; otherwise {@code BAD_VALUE}. */
    public static <T> T to(Class<T> type, Object value) {
        Object plain = AvroValues.plain(value);
        if (type.isInstance(plain)) {
            return type.cast(plain);
        }
        return converted(type, plain)
                .filter(type::isInstance)
                .map(type::cast)
                .orElseThrow(() -> new EntityException(
                        EntityError.BAD_VALUE,
                        "The value is of another type",
                        Map.of(
                                "wanted",
                                type.getName(),
                                "found",
                                plain.getClass().getName())));
    }

    private static Optional<Object> converted(Class<?> type, Object value) {
        if (value instanceof JsonNode tree) {
            return ofJson(type, tree);
        }
        if (type.isRecord() && value instanceof IndexedRecord record) {
            return Optional.of(RecordBinding.of(type).fromAvro(record));
        }
        if (value instanceof ByteBuffer buffer && (type == byte[].class || type == Bytes.class)) {
            byte[] array = new byte[buffer.remaining()];
            buffer.duplicate().get(array);
            return Optional.of(type == Bytes.class ? Bytes.of(array) : array);
        }
        if (value instanceof byte[] array && (type == Bytes.class || type == ByteBuffer.class)) {
            return Optional.of(type == Bytes.class ? Bytes.of(array) : ByteBuffer.wrap(array));
        }
        if (type == Long.class && value instanceof Integer number) {
            return Optional.of(number.longValue());
        }
        if (type == Double.class && (value instanceof Integer || value instanceof Float)) {
            return Optional.of(((Number) value).doubleValue());
        }
        if (type == String.class && value instanceof CharSequence) {
            return Optional.of(value.toString());
        }
        return Optional.empty();
    }

    private static Optional<Object> ofJson(Class<?> type, JsonNode tree) {
        try {
            return Optional.ofNullable(
                    type == String.class && !tree.isTextual()
                            ? tree.toString()
                            : JsonCodec.JSON.treeToValue(tree, type));
        } catch (JsonProcessingException e) {
            throw new EntityException(
                    EntityError.BAD_VALUE, "The JSON does not fit the type", Map.of("wanted", type.getName()), e);
        }
    }
}
