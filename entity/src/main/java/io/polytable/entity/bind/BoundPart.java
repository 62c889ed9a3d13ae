package io.polytable.entity.bind;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A field of a bound class or record, and the column or key component that holds its value. */
record BoundPart(Field field, Optional<String> column, Optional<Integer> keyPart) {
    private static final Map<Class<?>, Object> ZEROS =
            Map.of(int.class, 0, long.class, 0L, float.class, 0f, double.class, 0d, boolean.class, false);
    private static final Map<Class<?>, Class<?>> BOXES = Map.of(
            int.class, Integer.class,
            long.class, Long.class,
            float.class, Float.class,
            double.class, Double.class,
            boolean.class, Boolean.class);

    static Optional<BoundPart> of(Field field) {
        Optional<String> column =
                Optional.ofNullable(field.getAnnotation(InColumn.class)).map(InColumn::value);
        Optional<Integer> key =
                Optional.ofNullable(field.getAnnotation(KeyPart.class)).map(KeyPart::value);
        if (column.isEmpty() && key.isEmpty()) {
            return Optional.empty();
        }
        field.setAccessible(true);
        return Optional.of(new BoundPart(field, column, key));
    }

    boolean isMap() {
        return field.getType() == Map.class;
    }

    /** The value to write; empty when there is none. */
    Optional<Object> read(Object object) {
        try {
            Object value = field.get(object);
            return value instanceof Optional<?> optional ? optional.map(found -> found) : Optional.ofNullable(value);
        } catch (IllegalAccessException e) {
            throw unusable(e);
        }
    }

    /** The value of the field, as the row has it. */
    @Nullable
    Object of(EntityRow row) {
        if (keyPart.isPresent()) {
            return keyComponent(row);
        }
        String name = column.orElseThrow();
        if (isMap()) {
            return row.newestValues(name, argument(1));
        }
        if (field.getType() == Optional.class) {
            return row.value(name, argument(0));
        }
        Class<?> type = field.getType();
        Object found = row.value(name, BOXES.getOrDefault(type, type)).orElse(null);
        return found == null ? ZEROS.get(type) : found;
    }

    private @Nullable Object keyComponent(EntityRow row) {
        int index = keyPart.orElseThrow();
        Object found = index < row.id().components().size() ? row.id().component(index) : null;
        boolean isInt = field.getType() == int.class || field.getType() == Integer.class;
        return found instanceof Long number && isInt ? Integer.valueOf(number.intValue()) : found;
    }

    private Class<?> argument(int index) {
        Type type = field.getGenericType();
        if (type instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[index] instanceof Class<?> named) {
            return named;
        }
        throw new EntityException(
                EntityError.BAD_VALUE, "A bound field needs a plain type", Map.of("field", field.getName()));
    }

    EntityException unusable(Exception cause) {
        return new EntityException(
                EntityError.BAD_VALUE, "A bound field cannot be used", Map.of("field", field.getName()), cause);
    }
}
