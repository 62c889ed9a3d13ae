package io.polytable.entity.bind;

import io.polytable.entity.EntityTable;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.write.AtomicWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps objects of one class to entities of a table. Thread safe. */
public final class EntityBinding<T> {
    private final EntityTable table;
    private final Class<T> type;
    private final List<BoundPart> parts;
    private final Constructor<T> constructor;
    private final DataRequest request;

    private EntityBinding(EntityTable table, Class<T> type) {
        this.table = table;
        this.type = type;
        List<BoundPart> found = new ArrayList<>();
        List<Class<?>> types = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                BoundPart.of(field).ifPresent(found::add);
                types.add(field.getType());
            }
        }
        parts = List.copyOf(found);
        request = DataRequest.of(
                parts.stream().flatMap(part -> part.column().stream()).toArray(String[]::new));
        boolean isWhole = !type.isRecord() || types.size() == parts.size();
        if (!isWhole || request.columns().isEmpty()) {
            throw unusable("Every component of a record, and at least one field, must say where it is", null);
        }
        try {
            constructor =
                    type.getDeclaredConstructor(type.isRecord() ? types.toArray(Class<?>[]::new) : new Class<?>[0]);
            constructor.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw unusable("A bound class has a constructor without parameters", e);
        }
    }

    public static <T> EntityBinding<T> of(EntityTable table, Class<T> type) {
        return new EntityBinding<>(table, type);
    }

    /** Writes all values of the object atomically. Its key parts determine the entity. */
    public EntityId put(T object) {
        @Nullable
        Object[] components = new @Nullable
                Object
                [(int) parts.stream().filter(part -> part.keyPart().isPresent()).count()];
        for (BoundPart part : parts) {
            part.keyPart().ifPresent(index -> {
                if (index < 0 || index >= components.length) {
                    throw unusable("Key parts are numbered from 0 without gaps", null);
                }
                components[index] = part.read(object).orElse(null);
            });
        }
        EntityId id = table.id(components);
        put(id, object);
        return id;
    }

    /** As {@link #put(Object)}, with an explicit entity id. */
    public void put(EntityId id, T object) {
        AtomicWriter writer = table.atomicWriter().begin(id);
        for (BoundPart part : parts) {
            part.column().ifPresent(column -> part.read(object).ifPresent(value -> put(writer, part, column, value)));
        }
        writer.commit();
    }

    private static void put(AtomicWriter writer, BoundPart part, String column, Object value) {
        if (part.isMap()) {
            ((Map<?, ?>) value).forEach((key, item) -> writer.put(column + ":" + key, item));
        } else {
            writer.put(column, value);
        }
    }

    /** The entity as an object; empty if it has no value in the bound columns. */
    public Optional<T> get(EntityId id) {
        EntityRow row = table.reader().get(id, request);
        return row.isEmpty() ? Optional.empty() : Optional.of(of(row));
    }

    /** Converts a row to an object; the row must have been read with {@link #request}. */
    public T of(EntityRow row) {
        try {
            if (type.isRecord()) {
                List<@Nullable Object> arguments = new ArrayList<>();
                parts.forEach(part -> arguments.add(part.of(row)));
                return constructor.newInstance(arguments.toArray());
            }
            T object = constructor.newInstance();
            for (BoundPart part : parts) {
                Object value = part.of(row);
                if (value != null) {
                    part.field().set(object, value);
                }
            }
            return object;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw unusable("The entity does not fit the class", e);
        }
    }

    /** The request with all bound columns. */
    public DataRequest request() {
        return request;
    }

    private EntityException unusable(String text, @Nullable Exception cause) {
        return new EntityException(EntityError.BAD_VALUE, text, Map.of("class", type.getName()), cause);
    }
}
