package io.polytable.entity.cell;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.polytable.table.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The codec of Protobuf messages of one class. The class is loaded with the first message, so that readers of other
 * columns do not need it.
 */
final class ProtobufCodec implements CellCodec {
    private record Messages(Class<?> type, Parser<?> parser) {}

    private final String column;
    private final String className;
    private volatile @Nullable Messages messages;

    ProtobufCodec(String column, String className) {
        this.column = column;
        this.className = className;
    }

    private Messages messages() {
        Messages known = messages;
        if (known == null) {
            known = loaded();
            messages = known;
        }
        return known;
    }

    private Messages loaded() {
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            Class<?> type =
                    Class.forName(className, true, context == null ? getClass().getClassLoader() : context);
            Object prototype = type.getMethod("getDefaultInstance").invoke(null);
            return new Messages(type, ((MessageLite) prototype).getParserForType());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw BadValue.of(column, "The column's Protobuf class cannot be used", className, e);
        }
    }

    @Override
    public Bytes encode(Object value) {
        if (messages().type().isInstance(value)) {
            return Bytes.of(((MessageLite) value).toByteArray());
        }
        throw BadValue.of(column, "The column holds messages of another class", value);
    }

    @Override
    public Object decode(Bytes stored, ReadAs as) {
        try {
            return messages().parser().parseFrom(stored.array(), stored.offset(), stored.length());
        } catch (InvalidProtocolBufferException e) {
            throw BadValue.of(column, "The cell is not a message of its class", stored.length() + " bytes", e);
        }
    }

    /** As bytes. */
    @Override
    public Shown shown(Bytes stored) {
        return new Shown(stored.toByteArray(), Optional.empty());
    }
}
