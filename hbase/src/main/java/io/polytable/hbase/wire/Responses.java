package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.polytable.hbase.rpc.Answer;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Encodes responses: length, header, message, cells. */
final class Responses {
    private Responses() {}

    static ByteBuf of(ByteBufAllocator buffers, int callId, Answer answer, CellBlocks blocks) throws IOException {
        ResponseHeader.Builder header = ResponseHeader.newBuilder().setCallId(callId);
        if (answer.cells().isEmpty()) {
            return framed(buffers, header.build(), answer.message());
        }
        ByteBuf cells = buffers.buffer(blocks.sizeBytes(answer.cells()));
        try {
            blocks.write(answer.cells(), cells);
            header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.readableBytes()));
            return framed(buffers, header.build(), answer.message(), cells);
        } catch (IOException | RuntimeException failed) {
            cells.release();
            throw failed;
        }
    }

    private static ByteBuf framed(ByteBufAllocator buffers, ResponseHeader header, Message message, ByteBuf cells)
            throws IOException {
        ByteBuf head = head(buffers, header, message, cells.readableBytes());
        return buffers.compositeBuffer(2).addComponents(true, head, cells);
    }

    static ByteBuf framed(ByteBufAllocator buffers, ResponseHeader header, Message message) throws IOException {
        return head(buffers, header, message, 0);
    }

    private static ByteBuf head(ByteBufAllocator buffers, ResponseHeader header, Message message, int more)
            throws IOException {
        byte[] bytes = new byte[Integer.BYTES + delimited(header) + delimited(message)];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
        write(out, header);
        write(out, message);
        out.flush();
        return lengthFirst(buffers, bytes, more);
    }

    private static ByteBuf lengthFirst(ByteBufAllocator buffers, byte[] bytes, int more) {
        ByteBuf buffer = buffers.buffer(bytes.length).writeBytes(bytes);
        buffer.setInt(0, bytes.length - Integer.BYTES + more);
        return buffer;
    }

    private static int delimited(Message message) {
        int size = message.getSerializedSize();
        return CodedOutputStream.computeUInt32SizeNoTag(size) + size;
    }

    private static void write(CodedOutputStream out, Message message) throws IOException {
        out.writeUInt32NoTag(message.getSerializedSize());
        message.writeTo(out);
    }

    /**
     * Encodes a failure: the client creates an exception of the given class, with the text after the colon as its
     * message.
     */
    static ByteBuf failed(ByteBufAllocator buffers, int callId, IOException failure) throws IOException {
        String type = failure.getClass().getName();
        String text = failure.getMessage() == null ? type : type + ": " + failure.getMessage();
        ResponseHeader header = ResponseHeader.newBuilder()
                .setCallId(callId)
                .setException(ExceptionResponse.newBuilder()
                        .setExceptionClassName(type)
                        .setStackTrace(text)
                        .setDoNotRetry(failure instanceof DoNotRetryIOException))
                .build();
        byte[] bytes = new byte[Integer.BYTES + delimited(header)];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
        write(out, header);
        out.flush();
        return lengthFirst(buffers, bytes, 0);
    }
}
