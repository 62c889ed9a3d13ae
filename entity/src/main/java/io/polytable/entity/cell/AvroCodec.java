package io.polytable.entity.cell;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.SchemaStorage;
import io.polytable.entity.layout.Validation;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericContainer;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The codec of Avro values: an identifier of the writer's schema, in the form that the column says, then Avro's binary
 * encoding.
 */
final class AvroCodec implements CellCodec {
    private static final int HASH_BYTES = 16;

    private record Pair(Schema writer, ReadAs as) {}

    private final String column;
    private final CellSchema schema;
    private final SchemaTable schemas;
    private final Map<Pair, DatumReader<?>> readers = new ConcurrentHashMap<>();

    AvroCodec(String column, CellSchema schema, SchemaTable schemas) {
        this.column = column;
        this.schema = schema;
        this.schemas = schemas;
    }

    @Override
    public Optional<Schema> unregistered(Object value) {
        Schema writer = writerOf(AvroValues.toAvro(value));
        boolean isKnown =
                schema.validation() != Validation.DEVELOPER || schema.writers().contains(writer);
        return isKnown ? Optional.empty() : Optional.of(writer);
    }

    @Override
    public Bytes encode(Object value) {
        @Nullable Object avro = AvroValues.toAvro(value);
        Schema writer = writerOf(avro);
        boolean mustBeKnown = schema.validation() != Validation.NONE || schema.storage() == SchemaStorage.FINAL;
        if (mustBeKnown && !schema.writers().contains(writer)) {
            throw new EntityException(
                    EntityError.BAD_VALUE,
                    "The column has no such writer schema",
                    Map.of("column", column, "schema", writer.toString()));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(prefix(writer).toByteArray());
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            writer(avro, writer).write(avro, encoder);
            encoder.flush();
        } catch (IOException | AvroRuntimeException | ClassCastException e) {
            throw BadValue.of(
                    column,
                    "The value does not fit the column's schema",
                    value.getClass().getName(),
                    e);
        }
        return Bytes.of(out.toByteArray());
    }

    private static DatumWriter<@Nullable Object> writer(@Nullable Object value, Schema schema) {
        return value instanceof SpecificRecord ? new SpecificDatumWriter<>(schema) : new GenericDatumWriter<>(schema);
    }

    /**
     * A value that knows its schema is written with it, or with the column's union that has it as a branch. Any other
     * value is written with the first of the column's schemas that accepts it.
     */
    private Schema writerOf(@Nullable Object value) {
        if (value instanceof GenericContainer container && container.getSchema() != null) {
            Schema own = container.getSchema();
            return schema.writers().contains(own)
                    ? own
                    : schema.writers().stream()
                            .filter(writer ->
                                    writer.isUnion() && writer.getTypes().contains(own))
                            .findFirst()
                            .orElse(own);
        }
        for (Schema writer : schema.writers()) {
            if (SpecificData.get().validate(writer, value)) {
                return writer;
            }
        }
        return AvroValues.inferred(value)
                .orElseThrow(
                        () -> BadValue.of(column, "The value does not fit the column's schema", String.valueOf(value)));
    }

    private Bytes prefix(Schema writer) {
        return switch (schema.storage()) {
            case UID -> new BytesWriter().varint(schemas.register(writer).id()).toBytes();
            case HASH -> schemas.register(writer).hash();
            case FINAL -> Bytes.EMPTY;
        };
    }

    @Override
    public Object decode(Bytes stored, ReadAs as) {
        try {
            BytesReader in = new BytesReader(stored);
            Schema writer = writer(in);
            Bytes body = in.raw(in.remaining());
            return read(readers.computeIfAbsent(new Pair(writer, as), this::reader), body);
        } catch (IOException | AvroRuntimeException | StoreException e) {
            throw BadValue.of(column, "The cell is not a value of the column's schema", stored.length() + " bytes", e);
        }
    }

    private Schema writer(BytesReader in) {
        return switch (schema.storage()) {
            case UID -> schemas.byId(in.varint());
            case HASH -> schemas.byHash(in.raw(HASH_BYTES).copy());
            case FINAL -> schema.writers().get(0);
        };
    }

    @Override
    public Shown shown(Bytes stored) {
        Object value = decode(stored, ReadAs.DEFAULT);
        // A class may have another schema than the column.
        Schema read = value instanceof SpecificRecord record
                ? record.getSchema()
                : schema.defaultReader().orElseGet(() -> writer(new BytesReader(stored)));
        return new Shown(value, Optional.of(read));
    }

    private static Object read(DatumReader<?> reader, Bytes body) throws IOException {
        @Nullable
        Object value =
                reader.read(null, DecoderFactory.get().binaryDecoder(body.array(), body.offset(), body.length(), null));
        return value == null ? AvroValues.NULL : value;
    }

    private DatumReader<?> reader(Pair pair) {
        if (pair.as instanceof ReadAs.Generic generic) {
            return AvroValues.genericReader(pair.writer, generic.schema());
        }
        if (pair.as instanceof ReadAs.Specific specific) {
            return AvroValues.specificReader(pair.writer, specific.type());
        }
        if (pair.as instanceof ReadAs.Written) {
            return AvroValues.genericReader(pair.writer, pair.writer);
        }
        return schema.className()
                .<DatumReader<?>>flatMap(name -> AvroValues.specificReader(pair.writer, name))
                .orElseGet(() -> AvroValues.genericReader(
                        pair.writer, schema.defaultReader().orElse(pair.writer)));
    }
}
