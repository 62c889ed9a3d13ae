package io.polytable.entity.cell;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.polytable.table.Bytes;

/** Protobuf messages of one class. */
final class ProtobufCodec implements CellCodec {
    private final String column;
    private final Class<?> type;
    private final Parser<?> parser;

    ProtobufCodec(String column, String className) {
        this.column = column;
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            type = Class.forName(className, true, context == null ? getClass().getClassLoader() : context);
            Object prototype = type.getMethod("getDefaultInstance").invoke(null);
            parser = ((MessageLite) prototype).getParserForType();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw BadValue.of(column, "The column's Protobuf class cannot be used", className, e);
        }
    }

    @Override
    public Bytes encode(Object value) {
        if (type.isInstance(value)) {
            return Bytes.of(((Message) value).toByteArray());
        }
        throw BadValue.of(column, "The column holds messages of another class", value);
    }

    @Override
    public Object decode(Bytes stored, ReadAs as) {
        try {
            return parser.parseFrom(stored.array(), stored.offset(), stored.length());
        } catch (InvalidProtocolBufferException e) {
            throw BadValue.of(column, "The cell is not a message of its class", stored.length() + " bytes", e);
        }
    }
}
