package io.polytable.entity.cell;

import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Conversions between Java values and Avro values. */
final class AvroValues {
    /** The Java value of Avro's null: there is a cell without a value. */
    static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private AvroValues() {}

    static @Nullable Object toAvro(Object value) {
        if (value == NULL) {
            return null;
        }
        if (value instanceof Record record) {
            return RecordBinding.of(record.getClass()).toAvro(record);
        }
        if (value instanceof byte[] array) {
            return ByteBuffer.wrap(array);
        }
        if (value instanceof Bytes bytes) {
            return ByteBuffer.wrap(bytes.toByteArray());
        }
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        }
        return value;
    }

    /** The schema that a value's class implies. */
    static Optional<Schema> inferred(@Nullable Object value) {
        Schema.Type type = null;
        if (value instanceof CharSequence) {
            type = Schema.Type.STRING;
        } else if (value instanceof Integer) {
            type = Schema.Type.INT;
        } else if (value instanceof Long) {
            type = Schema.Type.LONG;
        } else if (value instanceof Float) {
            type = Schema.Type.FLOAT;
        } else if (value instanceof Double) {
            type = Schema.Type.DOUBLE;
        } else if (value instanceof Boolean) {
            type = Schema.Type.BOOLEAN;
        } else if (value instanceof ByteBuffer) {
            type = Schema.Type.BYTES;
        }
        return Optional.ofNullable(type).map(Schema::create);
    }

    static DatumReader<Object> genericReader(Schema writer, Schema reader) {
        return new TextReader(writer, reader);
    }

    /** Reads text as String, whatever the schema's properties say. */
    private static final class TextReader extends GenericDatumReader<Object> {
        TextReader(Schema writer, Schema reader) {
            super(writer, reader);
        }

        @Override
        protected Class<?> findStringClass(Schema schema) {
            return String.class;
        }
    }

    static DatumReader<Object> specificReader(Schema writer, Class<?> type) {
        Schema reader = SpecificData.get().getSchema(type);
        return new SpecificDatumReader<>(writer, reader, SpecificData.getForSchema(reader));
    }

    /** Empty if the class is not on the class path: then values stay generic. */
    static Optional<DatumReader<Object>> specificReader(Schema writer, String className) {
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            ClassLoader loader = context == null ? AvroValues.class.getClassLoader() : context;
            return Optional.of(specificReader(writer, Class.forName(className, true, loader)));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Text as String, wherever it came from. */
    static Object plain(Object value) {
        return value instanceof Utf8 text ? text.toString() : value;
    }
}
