package io.polytable.entity.cell;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.schema.SchemaTable;

/** A factory of codecs. */
public final class CellCodecs {
    private final SchemaTable schemas;

    public CellCodecs(SchemaTable schemas) {
        this.schemas = schemas;
    }

    /**
     * The codec of a column.
     *
     * @param column its name, for messages
     */
    public CellCodec codec(String column, CellSchema schema) {
        return switch (schema.type()) {
            case AVRO -> new AvroCodec(column, schema, schemas);
            case COUNTER -> new CounterCodec(column);
            case RAW_BYTES -> new BytesCodec(column);
            case JSON -> new JsonCodec(column);
            case PROTOBUF -> new ProtobufCodec(column, schema.className().orElse(""));
        };
    }
}
