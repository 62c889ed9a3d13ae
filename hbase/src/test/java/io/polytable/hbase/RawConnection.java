package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;

/** A connection on which a test writes arbitrary bytes. */
public final class RawConnection implements AutoCloseable {
    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    public RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        // Without it every second small write waits for a delayed acknowledgement.
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
    }

    public static RawConnection opened(int port) throws IOException {
        RawConnection wire = new RawConnection(port);
        wire.out.write(new byte[] {'H', 'B', 'a', 's', 0, 80});
        wire.header("ClientService", "org.apache.hadoop.hbase.codec.KeyValueCodec");
        return wire;
    }

    public static RequestHeader.Builder named(int id, String method) {
        return RequestHeader.newBuilder().setCallId(id).setMethodName(method).setRequestParam(true);
    }

    public DataOutputStream out() {
        return out;
    }

    void header(String service, String codec) throws IOException {
        header(service, codec, "");
    }

    void header(String service, String codec, String compressor) throws IOException {
        byte[] header = ConnectionHeader.newBuilder()
                .setServiceName(service)
                .setUserInfo(UserInformation.newBuilder().setEffectiveUser("tester"))
                .setCellBlockCodecClass(codec)
                .setCellBlockCompressorClass(compressor)
                .build()
                .toByteArray();
        out.write(ByteBuffer.allocate(Integer.BYTES + header.length)
                .putInt(header.length)
                .put(header)
                .array());
    }

    public void call(RequestHeader header, Message request, byte[] cells) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        header.writeDelimitedTo(frame);
        request.writeDelimitedTo(frame);
        frame.write(cells);
        ByteArrayOutputStream whole = new ByteArrayOutputStream(Integer.BYTES + frame.size());
        new DataOutputStream(whole).writeInt(frame.size());
        frame.writeTo(whole);
        whole.writeTo(out);
    }

    public ResponseHeader answer() throws IOException {
        return ResponseHeader.parseDelimitedFrom(frame());
    }

    /** The message of an answer that must not be a failure. */
    public <M extends Message> M answer(Parser<M> parser) throws IOException {
        ByteArrayInputStream frame = frame();
        ResponseHeader header = ResponseHeader.parseDelimitedFrom(frame);
        assertThat(header.hasException()).as(header.toString()).isFalse();
        return parser.parseDelimitedFrom(frame);
    }

    private ByteArrayInputStream frame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return new ByteArrayInputStream(frame);
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    void awaitEnd() throws IOException {
        try {
            while (true) {
                in.readByte();
            }
        } catch (EOFException | SocketException ended) {
            assertThat(ended).isNotNull();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
