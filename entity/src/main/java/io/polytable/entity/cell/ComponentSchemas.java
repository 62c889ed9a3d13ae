package io.polytable.entity.cell;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/** Avro schemas of Java types. */
final class ComponentSchemas {
    private static final Map<Type, Schema.Type> PLAIN = Map.ofEntries(
            Map.entry(String.class, Schema.Type.STRING),
            Map.entry(int.class, Schema.Type.INT),
            Map.entry(Integer.class, Schema.Type.INT),
            Map.entry(long.class, Schema.Type.LONG),
            Map.entry(Long.class, Schema.Type.LONG),
            Map.entry(float.class, Schema.Type.FLOAT),
            Map.entry(Float.class, Schema.Type.FLOAT),
            Map.entry(double.class, Schema.Type.DOUBLE),
            Map.entry(Double.class, Schema.Type.DOUBLE),
            Map.entry(boolean.class, Schema.Type.BOOLEAN),
            Map.entry(Boolean.class, Schema.Type.BOOLEAN),
            Map.entry(byte[].class, Schema.Type.BYTES),
            Map.entry(Bytes.class, Schema.Type.BYTES));

    private ComponentSchemas() {}

    static Schema record(Class<?> type) {
        List<Schema.Field> fields = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Schema schema = of(component.getGenericType());
            boolean isOptional = component.getType() == Optional.class;
            fields.add(
                    isOptional
                            ? new Schema.Field(component.getName(), schema, null, JsonProperties.NULL_VALUE)
                            : new Schema.Field(component.getName(), schema));
        }
        return Schema.createRecord(type.getSimpleName(), null, namespace(type), false, fields);
    }

    private static String namespace(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getPackageName() : outer.getName().replace('$', '.');
    }

    static Schema of(Type type) {
        Schema.Type plain = PLAIN.get(type);
        if (plain != null) {
            return Schema.create(plain);
        }
        if (type instanceof Class<?> named && named.isRecord()) {
            return RecordBinding.of(named).schema();
        }
        if (type instanceof Class<?> named && named.isEnum()) {
            List<String> symbols = Arrays.stream(named.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name())
                    .toList();
            return Schema.createEnum(named.getSimpleName(), null, namespace(named), symbols);
        }
        if (type instanceof ParameterizedType generic) {
            return ofGeneric(generic);
        }
        throw unknown(type);
    }

    private static Schema ofGeneric(ParameterizedType generic) {
        Type[] arguments = generic.getActualTypeArguments();
        if (generic.getRawType() == List.class) {
            return Schema.createArray(of(arguments[0]));
        }
        if (generic.getRawType() == Map.class && arguments[0] == String.class) {
            return Schema.createMap(of(arguments[1]));
        }
        if (generic.getRawType() == Optional.class) {
            return Schema.createUnion(Schema.create(Schema.Type.NULL), of(arguments[0]));
        }
        throw unknown(generic);
    }

    private static EntityException unknown(Type type) {
        return new EntityException(
                EntityError.BAD_VALUE, "A Java type has no Avro schema", Map.of("type", type.getTypeName()));
    }
}
