package io.polytable.entity.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The text form of values: Avro as its JSON, text without quotes, bytes as hexadecimal digits. */
public final class ValueText {
    private ValueText() {}

    /** Parses a value; text may be in quotes. */
    public static Object parse(String column, CellSchema schema, String text) {
        boolean isQuoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return parse(column, schema, text, isQuoted ? text.substring(1, text.length() - 1) : text);
    }

    /** As {@link #parse}, but quotes are part of the text. */
    public static Object parsePlain(String column, CellSchema schema, String text) {
        return parse(column, schema, text, text);
    }

    private static Object parse(String column, CellSchema schema, String text, String unquoted) {
        try {
            return switch (schema.type()) {
                case AVRO -> avro(schema.writers(), text, Optional.of(unquoted));
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

    /** The value of a JSON tree in a column: Avro in its own JSON, bytes as hexadecimal digits. */
    public static Object parse(String column, CellSchema schema, JsonNode tree) {
        try {
            return switch (schema.type()) {
                case JSON -> tree;
                case AVRO -> {
                    boolean isText = tree.isTextual()
                            && schema.writers().stream().anyMatch(writer -> writer.getType() == Schema.Type.STRING);
                    yield isText ? tree.textValue() : avro(schema.writers(), tree.toString(), Optional.empty());
                }
                case RAW_BYTES -> {
                    if (!tree.isTextual()) {
                        throw new IllegalArgumentException("Bytes are a text of hexadecimal digits");
                    }
                    yield parse(column, schema, tree.textValue());
                }
                case COUNTER, PROTOBUF -> parse(column, schema, tree.isTextual() ? tree.textValue() : tree.toString());
            };
        } catch (IllegalArgumentException e) {
            throw BadValue.of(column, "The JSON is no value of the column", tree.toString(), e);
        }
    }

    /**
     * The value under the first schema that accepts it.
     *
     * @param string the value as a string; empty if it is none
     */
    private static Object avro(List<Schema> writers, String json, Optional<String> string) {
        for (Schema writer : writers) {
            if (writer.getType() == Schema.Type.STRING) {
                if (string.isPresent()) {
                    return string.get();
                }
                continue;
            }
            try {
                @Nullable
                Object value = AvroValues.genericReader(writer, writer)
                        .read(null, DecoderFactory.get().jsonDecoder(writer, json));
                return value == null ? AvroValues.NULL : value;
            } catch (IOException | AvroRuntimeException e) {
                // The next schema may accept it.
            }
        }
        throw new IllegalArgumentException("No writer schema of the column fits");
    }

    /** The JSON of an Avro value without its schema: unions do not name their branch, bytes are hexadecimal digits. */
    public static JsonNode json(Object value) {
        if (value instanceof Number || value instanceof Boolean) {
            return JsonCodec.JSON.valueToTree(value);
        }
        if (value instanceof ByteBuffer || value instanceof byte[]) {
            return JsonNodeFactory.instance.textNode(of(value));
        }
        try {
            return JsonCodec.JSON.readTree(GenericData.get().toString(value));
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.textNode(of(value));
        }
    }

    /** An Avro value as the JSON that {@link #parse(String, CellSchema, JsonNode)} understands. */
    public static JsonNode json(Schema schema, Object value) {
        @Nullable Object avro = value == AvroValues.NULL ? null : value;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            Encoder encoder = EncoderFactory.get().jsonEncoder(schema, out);
            DatumWriter<@Nullable Object> writer = avro instanceof SpecificRecord
                    ? new SpecificDatumWriter<>(schema)
                    : new GenericDatumWriter<>(schema);
            writer.write(avro, encoder);
            encoder.flush();
            return JsonCodec.JSON.readTree(out.toByteArray());
        } catch (IOException | AvroRuntimeException | ClassCastException e) {
            // A class of its own that does not read as its schema says.
            return json(value);
        }
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
