package io.polytable.entity.layout;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** Avro schemas as text; a bare word is a primitive type. */
public final class SchemaText {
    public static final int LENGTH_MAX = 1 << 20;

    private SchemaText() {}

    public static Schema parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new EntityException(EntityError.TOO_LARGE, "A schema is too long", Map.of("length", text.length()));
        }
        String stripped = text.strip();
        String json = stripped.matches("[a-z]+") ? '"' + stripped + '"' : stripped;
        try {
            return new Schema.Parser().parse(json);
        } catch (AvroRuntimeException | NullPointerException e) {
            // Avro 1.12 answers an unknown name with a NullPointerException.
            throw new EntityException(
                    EntityError.BAD_LAYOUT,
                    "Not an Avro schema",
                    Map.of("schema", text, "reason", String.valueOf(e.getMessage())),
                    e);
        }
    }

    /** A short form for messages: a record's name, or the type. */
    public static String brief(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED -> schema.getFullName();
            case UNION, ARRAY, MAP -> schema.toString();
            default -> schema.getType().getName().toLowerCase(Locale.ROOT);
        };
    }
}
