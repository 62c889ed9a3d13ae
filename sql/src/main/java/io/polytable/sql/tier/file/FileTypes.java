package io.polytable.sql.tier.file;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.tier.manifest.FileColumn;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Parquet types of SQL types (docs/formats/tiering.md). */
public final class FileTypes {
    public static final String USER_ID = "_user_id";

    static final int INT_DIGITS = 9;
    static final int LONG_DIGITS = 18;
    static final int DECIMAL_BYTES = 16;
    static final int UUID_BYTES = 16;

    private FileTypes() {}

    /** The columns of a table's segments: the user, the table's columns, the system columns. */
    public static MessageType schema(TableDef def) {
        Types.MessageTypeBuilder message = Types.buildMessage();
        if (def.kind() == TableKind.USER) {
            message.addField(Types.required(PrimitiveTypeName.BINARY)
                    .as(LogicalTypeAnnotation.stringType())
                    .named(USER_ID));
        }
        for (ColumnDef column : def.columns()) {
            Repetition repetition = def.isKey(column) ? Repetition.REQUIRED : Repetition.OPTIONAL;
            message.addField(
                    field(column.type(), repetition).withId(column.id()).named(column.name()));
        }
        if (def.hasRowId()) {
            message.addField(Types.required(PrimitiveTypeName.INT64).named(TableDef.ROW_ID));
        }
        message.addField(Types.required(PrimitiveTypeName.INT64)
                .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS))
                .named(TableDef.UPDATED));
        message.addField(Types.required(PrimitiveTypeName.BOOLEAN).named(TableDef.DELETED));
        return message.named("row");
    }

    /** The columns as the manifest describes them. */
    public static List<FileColumn> columns(TableDef def) {
        return def.columns().stream()
                .map(column ->
                        new FileColumn(column.id(), column.name(), column.type().text()))
                .toList();
    }

    /** A field of the type, to be named. */
    static Field field(SqlType type, Repetition repetition) {
        return name -> {
            Types.PrimitiveBuilder<PrimitiveType> builder = Types.primitive(physical(type), repetition);
            LogicalTypeAnnotation logical = logical(type);
            if (physical(type) == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY) {
                builder = builder.length(type.is(SqlType.Kind.UUID) ? UUID_BYTES : DECIMAL_BYTES);
            }
            return logical == null ? builder.named(name) : builder.as(logical).named(name);
        };
    }

    interface Field {
        PrimitiveType named(String name);

        default Field withId(int id) {
            return name -> named(name).withId(id);
        }
    }

    private static PrimitiveTypeName physical(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> PrimitiveTypeName.BOOLEAN;
            case SMALLINT, INT, DATE -> PrimitiveTypeName.INT32;
            case BIGINT, TIME, TIMESTAMP -> PrimitiveTypeName.INT64;
            case FLOAT -> PrimitiveTypeName.FLOAT;
            case DOUBLE -> PrimitiveTypeName.DOUBLE;
            case TEXT, JSON, UNKNOWN, BYTES -> PrimitiveTypeName.BINARY;
            case UUID -> PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
            case DECIMAL ->
                type.precision() <= INT_DIGITS
                        ? PrimitiveTypeName.INT32
                        : type.precision() <= LONG_DIGITS
                                ? PrimitiveTypeName.INT64
                                : PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        };
    }

    private static @Nullable LogicalTypeAnnotation logical(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN, INT, BIGINT, FLOAT, DOUBLE, BYTES -> null;
            case SMALLINT -> LogicalTypeAnnotation.intType(16, true);
            case DATE -> LogicalTypeAnnotation.dateType();
            case TIME -> LogicalTypeAnnotation.timeType(false, TimeUnit.MICROS);
            case TIMESTAMP -> LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS);
            case TEXT, UNKNOWN -> LogicalTypeAnnotation.stringType();
            case JSON -> LogicalTypeAnnotation.jsonType();
            case UUID -> LogicalTypeAnnotation.uuidType();
            case DECIMAL -> LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
        };
    }
}
