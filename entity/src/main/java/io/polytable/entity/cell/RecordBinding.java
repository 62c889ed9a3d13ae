package io.polytable.entity.cell;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Maps a Java record to an Avro record with a field for each component, in order. An {@code Optional} component is a
 * union with null and absent by default, so it may be added later.
 */
public final class RecordBinding {
    private static final Map<Class<?>, RecordBinding> BOUND = new ConcurrentHashMap<>();

    private final Class<?> type;
    private final Schema schema;
    private final RecordComponent[] components;
    private final Constructor<?> constructor;

    private RecordBinding(Class<?> type) {
        this.type = type;
        components = type.getRecordComponents();
        schema = ComponentSchemas.record(type);
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            components[i].getAccessor().setAccessible(true);
        }
        try {
            constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Every record has its canonical constructor", e);
        }
    }

    public static RecordBinding of(Class<?> type) {
        RecordBinding known = BOUND.get(type);
        if (known == null) {
            // Nested records bind themselves on the way, which computeIfAbsent would not allow.
            known = new RecordBinding(type);
            BOUND.put(type, known);
        }
        return known;
    }

    /** The schema that values of the record are written with. */
    public Schema schema() {
        return schema;
    }

    GenericData.Record toAvro(Object value) {
        GenericData.Record record = new GenericData.Record(schema);
        for (int i = 0; i < components.length; i++) {
            record.put(i, ComponentValues.toAvro(read(i, value)));
        }
        return record;
    }

    private @Nullable Object read(int component, Object value) {
        try {
            return components[component].getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw unusable(e);
        }
    }

    Object fromAvro(IndexedRecord record) {
        List<@Nullable Object> arguments = new ArrayList<>();
        for (RecordComponent component : components) {
            Schema.Field field = record.getSchema().getField(component.getName());
            Object value = field == null ? null : record.get(field.pos());
            arguments.add(ComponentValues.fromAvro(component.getGenericType(), value));
        }
        try {
            return constructor.newInstance(arguments.toArray());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    private EntityException unusable(Exception cause) {
        return new EntityException(
                EntityError.BAD_VALUE,
                "The value does not fit the Java record",
                Map.of("record", type.getName()),
                cause);
    }
}
