package io.polytable.entity.key;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Encodes components in an order-preserving way. Text is UTF-8 terminated by 00 01, with 00 inside it written as 00 FF;
 * numbers are big-endian with the sign bit inverted. A null component, and all after it, take no bytes, so they sort
 * first.
 */
final class ComponentCodec {
    private static final int END = 0x01;
    private static final int ESCAPED_ZERO = 0xff;

    private ComponentCodec() {}

    static void write(BytesWriter out, Object component) {
        if (component instanceof Integer number) {
            out.i32(number ^ Integer.MIN_VALUE);
        } else if (component instanceof Long number) {
            out.i64(number ^ Long.MIN_VALUE);
        } else {
            for (byte b : KeyFormat.text((String) component).toByteArray()) {
                out.u8(b & 0xff);
                if (b == 0) {
                    out.u8(ESCAPED_ZERO);
                }
            }
            out.u8(0).u8(END);
        }
    }

    /** Components of a row key, one after the other. */
    static final class Source {
        private final Bytes rowKey;
        private int at;

        Source(Bytes rowKey, int at) {
            this.rowKey = rowKey;
            this.at = at;
        }

        boolean isAtEnd() {
            return at >= rowKey.length();
        }

        Object read(ComponentType type) {
            return switch (type) {
                case STRING -> text();
                case INTEGER -> (int) number(Integer.BYTES) ^ Integer.MIN_VALUE;
                case LONG -> number(Long.BYTES) ^ Long.MIN_VALUE;
            };
        }

        private long number(int bytes) {
            long value = 0;
            for (int i = 0; i < bytes; i++) {
                value = value << Byte.SIZE | next();
            }
            return value;
        }

        private String text() {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            while (true) {
                int b = next();
                if (b == 0 && next() == END) {
                    return text.toString(StandardCharsets.UTF_8);
                }
                text.write(b);
            }
        }

        private int next() {
            if (isAtEnd()) {
                throw new EntityException(EntityError.BAD_ENTITY_ID, "A row key ends within a component");
            }
            return rowKey.at(at++) & 0xff;
        }
    }
}
