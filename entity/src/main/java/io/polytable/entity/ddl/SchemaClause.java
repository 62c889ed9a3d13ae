package io.polytable.entity.ddl;

import io.polytable.entity.ddl.Token.Kind;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.SchemaStorage;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.layout.Validation;
import io.polytable.entity.model.EntityException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.avro.Schema;

/**
 * Schemas in statements: an Avro schema as JSON, {@code AVRO} and a type's name or JSON, {@code CLASS} and a class, {@code ID}
 * and a number, {@code COUNTER}, {@code RAW BYTES}, {@code JSON}, {@code PROTOBUF CLASS}; nothing at all for an Avro column
 * whose schemas come with what is written.
 */
final class SchemaClause {
    private final TokenCursor in;
    private final DdlContext context;

    SchemaClause(TokenCursor in, DdlContext context) {
        this.in = in;
        this.context = context;
    }

    /** The cell type and schema of a column. */
    CellSchema cells(Validation validation) {
        if (in.accept("COUNTER")) {
            return CellSchema.counter();
        }
        if (in.accept("RAW", "BYTES")) {
            return CellSchema.bytes();
        }
        if (in.accept("JSON")) {
            return CellSchema.json();
        }
        if (in.accept("PROTOBUF")) {
            in.expect("CLASS");
            return CellSchema.protobuf(className());
        }
        if (in.accept("CLASS")) {
            return context.ofClass(className()).withValidation(validation);
        }
        return avro().map(schema -> CellSchema.avro(schema).withValidation(validation))
                .orElseGet(() -> untyped(validation));
    }

    /** One Avro schema, of which there must be one. */
    Schema schema() {
        if (in.accept("CLASS")) {
            return context.ofClass(className()).writers().get(0);
        }
        return avro().orElseThrow(() -> in.expected("an Avro schema"));
    }

    private Optional<Schema> avro() {
        if (in.accept("ID")) {
            return Optional.of(context.schema(in.number("a schema's number", 0, Long.MAX_VALUE)));
        }
        boolean isNamed = in.accept("AVRO");
        Token token = in.peek();
        boolean isSchema = token.kind() == Kind.JSON || (isNamed && token.kind() == Kind.WORD);
        if (!isSchema) {
            if (isNamed) {
                throw in.expected("an Avro type");
            }
            return Optional.empty();
        }
        try {
            Schema parsed = SchemaText.parse(token.text());
            in.take();
            return Optional.of(parsed);
        } catch (EntityException e) {
            throw DdlLexer.error("Not an Avro schema", token.at(), token.shown());
        }
    }

    private String className() {
        StringBuilder name = new StringBuilder(word());
        while (in.acceptSymbol('.')) {
            name.append('.').append(word());
        }
        return name.toString();
    }

    private String word() {
        if (in.peek().kind() != Kind.WORD) {
            throw in.expected("the name of a class");
        }
        return in.take().text();
    }

    /** What stands behind a column's or map-type family's schema, in any order. */
    record Extras(String description, CellSchema schema) {}

    Extras extras(CellSchema schema, String before) {
        CellSchema result = schema;
        String description = before;
        while (true) {
            if (in.isNext("WITH", "DESCRIPTION")) {
                description = in.description().orElse(description);
            } else if (in.accept("TTL")) {
                in.expectSymbol('=');
                result = result.withTtlSeconds(in.number("seconds", 1, Integer.MAX_VALUE - 1));
            } else if (in.accept("STORAGE")) {
                in.expectSymbol('=');
                result = result.withStorage(in.choice(SchemaStorage.class, "UID, HASH or FINAL"));
            } else if (in.accept("VALIDATION")) {
                in.expectSymbol('=');
                result = result.withValidation(validation());
            } else {
                return new Extras(description, result);
            }
        }
    }

    Validation validation() {
        return in.accept("LEGACY") ? Validation.NONE : in.choice(Validation.class, "NONE, LEGACY, DEVELOPER or STRICT");
    }

    /** An Avro column without a schema. */
    private static CellSchema untyped(Validation validation) {
        return new CellSchema(
                CellType.AVRO,
                SchemaStorage.UID,
                validation,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                OptionalLong.empty());
    }
}
