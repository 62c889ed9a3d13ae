package io.polytable.entity.cell;

import io.polytable.table.Bytes;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Converts components of Java records to Avro and back. */
final class ComponentValues {
    private ComponentValues() {}

    static @Nullable Object toAvro(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.isPresent() ? toAvro(optional.get()) : null;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(toAvro(item)));
            return items;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
            map.forEach((key, item) -> entries.put(key, toAvro(item)));
            return entries;
        }
        if (value instanceof Enum<?> constant) {
            return new GenericData.EnumSymbol(ComponentSchemas.of(constant.getDeclaringClass()), constant.name());
        }
        return value == null ? null : AvroValues.toAvro(value);
    }

    static @Nullable Object fromAvro(Type type, @Nullable Object value) {
        if (type instanceof ParameterizedType generic) {
            return ofGeneric(generic, value);
        }
        if (value == null) {
            return null;
        }
        Class<?> named = (Class<?>) type;
        if (named.isRecord() && value instanceof IndexedRecord record) {
            return RecordBinding.of(named).fromAvro(record);
        }
        if (named.isEnum()) {
            for (Object constant : named.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(value.toString())) {
                    return constant;
                }
            }
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] array = new byte[buffer.remaining()];
            buffer.duplicate().get(array);
            return named == Bytes.class ? Bytes.of(array) : array;
        }
        if (named == long.class && value instanceof Integer number) {
            return number.longValue();
        }
        return AvroValues.plain(value);
    }

    private static @Nullable Object ofGeneric(ParameterizedType generic, @Nullable Object value) {
        Type[] arguments = generic.getActualTypeArguments();
        if (generic.getRawType() == Optional.class) {
            return Optional.ofNullable(fromAvro(arguments[0], value));
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(fromAvro(arguments[0], item)));
            return items;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            map.forEach((key, item) -> entries.put(key.toString(), fromAvro(arguments[1], item)));
            return entries;
        }
        return value;
    }
}
