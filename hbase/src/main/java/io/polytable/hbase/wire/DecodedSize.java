package io.polytable.hbase.wire;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the heap size of a decoded message without decoding it. Two bytes on the wire are enough for an object, so
 * a request within its budget can decode into many times that.
 */
final class DecodedSize {
    private static final int MESSAGE_BYTES = 80;

    /**
     * A byte string that shares the frame, or an element of a list of numbers. A single number is part of its message.
     */
    private static final int FIELD_BYTES = 32;

    private static final int UNKNOWN_FIELD_BYTES = 96;
    private static final int PACKED_NUMBER_BYTES = 16;

    /** The parser refuses deeper messages itself. */
    private static final int DEPTH_MAX = 100;

    private final CodedInputStream in;
    private long bytes;

    private DecodedSize(CodedInputStream in) {
        this.in = in;
    }

    /** The size of the next, length-prefixed message. */
    static long of(Descriptor type, CodedInputStream in) throws IOException {
        DecodedSize size = new DecodedSize(in);
        size.addMessage(type, 0);
        return size.bytes;
    }

    private void addMessage(Descriptor type, int depth) throws IOException {
        bytes += MESSAGE_BYTES;
        int outer = in.pushLimit(in.readRawVarint32());
        int tag = in.readTag();
        while (tag != 0 && addField(type.findFieldByNumber(WireFormat.getTagFieldNumber(tag)), tag, depth)) {
            tag = in.readTag();
        }
        in.popLimit(outer);
    }

    /** False if the message is malformed; decoding fails at the same place. */
    private boolean addField(@Nullable FieldDescriptor field, int tag, int depth) throws IOException {
        boolean sized = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
        if (field == null) {
            bytes += UNKNOWN_FIELD_BYTES;
        } else if (sized && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && depth < DEPTH_MAX) {
            addMessage(field.getMessageType(), depth + 1);
            return true;
        } else if (sized && field.isPackable()) {
            int length = in.readRawVarint32();
            bytes += (long) PACKED_NUMBER_BYTES * length;
            in.skipRawBytes(length);
            return true;
        } else if (sized || field.isRepeated()) {
            bytes += FIELD_BYTES;
        }
        return in.skipField(tag);
    }
}
