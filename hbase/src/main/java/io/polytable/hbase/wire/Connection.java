package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Failures;
import io.polytable.hbase.rpc.RpcService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: the preamble, the header that says who it is and which service it wants, then calls. Their answers may leave
 * in any order. A mistake in one call is that call's; only what makes the rest of the stream unreadable ends the connection.
 */
// Whoever closes, or sends the last word, has nothing to do afterwards: nobody asks those futures.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connection extends SimpleChannelInboundHandler<ByteBuf> implements FrameReader.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** Answers that belong to no call. */
    private static final int NO_CALL = -1;

    private static final byte SIMPLE = 80;
    private static final String CALLS = "HBas";
    private static final String REGISTRY = "Regist";
    private static final int RUNNING_MAX = 512;
    private static final long HANDSHAKE_SECONDS_MAX = 60;

    /** What the connection's header settled. */
    private record Opened(RpcService service, Client client, CellBlocks blocks, Optional<IOException> refusal) {}

    private final WireContext context;
    private final FrameReader frames;
    private final AtomicInteger running = new AtomicInteger();
    private Optional<ChannelHandlerContext> channel = Optional.empty();
    private Optional<Opened> opened = Optional.empty();

    Connection(WireContext context) {
        this.context = context;
        frames = new FrameReader(context.options().callBytesMax());
    }

    private ChannelHandlerContext channel() {
        return channel.orElseThrow();
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        channel = Optional.of(active);
        active.executor()
                .schedule(
                        () -> {
                            if (opened.isEmpty()) {
                                active.close();
                            }
                        },
                        HANDSHAKE_SECONDS_MAX,
                        TimeUnit.SECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext active, ByteBuf in) {
        frames.read(in, this);
    }

    @Override
    public void preamble(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (text.equals(REGISTRY)) {
            answerRegistry();
        } else if (!text.startsWith(CALLS)) {
            giveUp(new FatalConnectionException("Expected HEADER=HBas but received HEADER=" + text.substring(0, 4)));
        } else if (bytes[4] != 0 || bytes[5] != SIMPLE) {
            giveUp(new FatalConnectionException("serverVersion=0, clientVersion=" + bytes[4] + ", authMethod="
                    + (bytes[5] & 0xff) + "; only SIMPLE authentication is supported"));
        }
    }

    private void answerRegistry() {
        GetConnectionRegistryResponse answer = GetConnectionRegistryResponse.newBuilder()
                .setClusterId(context.services().clusterId())
                .build();
        ResponseHeader header = ResponseHeader.newBuilder().setCallId(NO_CALL).build();
        try {
            send(Responses.framed(channel().alloc(), header, answer), true);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Tells the reason and closes: what follows could not be understood, or is not for us. */
    void giveUp(IOException reason) {
        try {
            send(Responses.failed(channel().alloc(), NO_CALL, reason), true);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void send(ByteBuf bytes, boolean last) {
        var written = channel().writeAndFlush(bytes);
        if (last) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void frame(byte[] frame) {
        if (opened.isEmpty()) {
            open(frame);
        } else {
            call(opened.get(), frame);
        }
    }

    private void open(byte[] frame) {
        try {
            ConnectionHeader header = ConnectionHeader.parseFrom(frame);
            String user = header.getUserInfo().getEffectiveUser();
            CellBlocks blocks = CellBlocks.of(
                    header.getCellBlockCodecClass(),
                    header.getCellBlockCompressorClass(),
                    context.options().callBytesMax());
            Client client = new Client(
                    user, blocks.areCarried(), header.getVersionInfo().getVersion());
            RpcService service = context.services().service(header.getServiceName());
            opened = Optional.of(new Opened(service, client, blocks, refusal(user)));
        } catch (InvalidProtocolBufferException unreadable) {
            giveUp(new FatalConnectionException("The connection header cannot be read: " + unreadable.getMessage()));
        } catch (IOException refused) {
            giveUp(refused);
        }
    }

    /** A user who may not call is told so at each call: there the client makes an exception of it. */
    private Optional<IOException> refusal(String user) {
        boolean allowed =
                context.options().users().isEmpty() || context.options().users().contains(user);
        return allowed
                ? Optional.empty()
                : Optional.of(new AccessDeniedException("User '" + user + "' is not among hbase.auth.users"));
    }

    private void call(Opened connection, byte[] frame) {
        CodedInputStream in = UnsafeByteOperations.unsafeWrap(frame).newCodedInput();
        in.enableAliasing(true);
        RequestHeader header;
        try {
            header = in.readMessage(RequestHeader.parser(), ExtensionRegistryLite.getEmptyRegistry());
        } catch (IOException unreadable) {
            giveUp(new FatalConnectionException("A request header cannot be read: " + unreadable.getMessage()));
            return;
        }
        if (running.incrementAndGet() > RUNNING_MAX) {
            channel().channel().config().setAutoRead(false);
        }
        if (connection.refusal().isPresent()) {
            respond(connection, header.getCallId(), null, connection.refusal().get());
            return;
        }
        RunningCall call = new RunningCall(context, connection.service(), connection.client(), header);
        call.start(
                in,
                frame,
                connection.blocks(),
                (answer, failure) -> respond(connection, header.getCallId(), answer, failure));
    }

    private void respond(Opened connection, int callId, @Nullable Answer answer, @Nullable Throwable failure) {
        ChannelHandlerContext to = channel();
        try {
            send(
                    answer == null
                            ? Responses.failed(
                                    to.alloc(),
                                    callId,
                                    Failures.of(failure == null ? new IllegalStateException("no answer") : failure))
                            : Responses.of(to.alloc(), callId, answer, connection.blocks()),
                    false);
        } catch (IOException | RuntimeException unwritable) {
            LOG.error("An answer cannot be written", unwritable);
            to.close();
        }
        if (running.decrementAndGet() == RUNNING_MAX / 2) {
            resume(to);
        }
    }

    /** Reads on when neither running calls nor unsent answers are too many. */
    private void resume(ChannelHandlerContext active) {
        boolean ready = running.get() <= RUNNING_MAX && active.channel().isWritable();
        active.channel().config().setAutoRead(ready);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext active) {
        resume(active);
        active.fireChannelWritabilityChanged();
    }

    @Override
    public void tooLong(byte[] start, int length) {
        if (opened.isEmpty()) {
            giveUp(new FatalConnectionException("A connection header of " + length + " bytes"));
            return;
        }
        String text = "RPC data length of " + length + " is greater than max allowed "
                + context.options().callBytesMax();
        try {
            CodedInputStream in = CodedInputStream.newInstance(start);
            RequestHeader header = in.readMessage(RequestHeader.parser(), ExtensionRegistryLite.getEmptyRegistry());
            send(Responses.failed(channel().alloc(), header.getCallId(), new RequestTooBigException(text)), false);
        } catch (IOException unreadable) {
            giveUp(new FatalConnectionException(text));
        }
    }

    @Override
    public void senseless(int length) {
        giveUp(new FatalConnectionException("A frame of " + length + " bytes"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable failure) {
        // A client that went away is nobody's mistake.
        LOG.debug("A connection failed", failure);
        active.close();
    }
}
