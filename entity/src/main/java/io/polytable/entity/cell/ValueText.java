package io.polytable.entity.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.DecoderFactory;

/** Values as people type and read them: Avro as its JSON, text without quotes, bytes as hexadecimal digits. */
public final class ValueText {
    private ValueText() {}

    public static Object parse(String column, CellSchema schema, String text) {
        try {
            return switch (schema.type()) {
                case AVRO -> avro(schema.writers(), text);
                case COUNTER -> Long.valueOf(text.strip());
                case RAW_BYTES -> HexFormat.of().parseHex(text.strip());
                case JSON -> JsonCodec.JSON.readTree(text);
                case PROTOBUF ->
                    throw new EntityException(
                            EntityError.BAD_VALUE, "A Protobuf value has no text", Map.of("column", column));
            };
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw BadValue.of(column, "The text is no value of the column", text, e);
        }
    }

    private static Object avro(List<Schema> writers, String text) {
        for (Schema writer : writers) {
            if (writer.getType() == Schema.Type.STRING) {
                boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
                return quoted ? text.substring(1, text.length() - 1) : text;
            }
            try {
                return AvroValues.genericReader(writer, writer)
                        .read(null, DecoderFactory.get().jsonDecoder(writer, text));
            } catch (IOException | AvroRuntimeException e) {
                // Perhaps the next schema fits.
            }
        }
        throw new IllegalArgumentException("No writer schema of the column fits");
    }

    public static String of(Object value) {
        if (value instanceof byte[] array) {
            return HexFormat.of().formatHex(array);
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return HexFormat.of().formatHex(bytes);
        }
        if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        return value instanceof org.apache.avro.generic.GenericContainer
                ? GenericData.get().toString(value)
                : value.toString();
    }
}
