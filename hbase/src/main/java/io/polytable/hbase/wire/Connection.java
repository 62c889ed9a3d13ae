package io.polytable.hbase.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Sessions;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Failures;
import io.polytable.hbase.rpc.RpcService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CallQueueTooBigException;
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
 * A client's connection: the preamble, the header with user and service, then calls, whose responses may be sent in
 * any order. An error in one call fails only that call; only what makes the rest of the stream unreadable closes the
 * connection.
 */
// Nothing depends on the futures of close and of the last write.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connection extends SimpleChannelInboundHandler<ByteBuf> implements FrameReader.Sink, Session.Client {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** The call id of responses that belong to no call. */
    private static final int NO_CALL = -1;

    private static final byte SIMPLE = 80;
    private static final String CALLS = "HBas";
    private static final String REGISTRY = "Regist";
    private static final int RUNNING_MAX = 512;

    /** How much of a method's name is shown: the client sent it. */
    private static final int SHOWN_CHARS_MAX = 64;

    private static final long HANDSHAKE_SECONDS_MAX = 60;

    /** How often a connection is checked within the stall timeout. */
    private static final int STALL_LOOKS = 4;

    /** The state that the connection header defines. */
    private record Opened(RpcService service, Client client, CellBlocks blocks, Optional<IOException> refusal) {}

    private final WireContext context;
    private final FrameReader frames;
    private final OutputBudget output;
    private final StallTimer reading;
    private final StallTimer writing;
    private final AtomicInteger running = new AtomicInteger();
    private volatile Optional<ChannelHandlerContext> channel = Optional.empty();
    private Optional<Session> session = Optional.empty();
    private volatile String lastMethod = "";
    private Optional<Opened> opened = Optional.empty();

    /** Whether the fatal error was sent: further input is ignored. */
    private boolean givenUp;

    Connection(WireContext context) {
        this.context = context;
        frames = new FrameReader(context.options().callBytesMax(), context.memory());
        output = new OutputBudget(context.answers());
        reading = new StallTimer(context.options().stallMax());
        writing = new StallTimer(context.options().stallMax());
    }

    /** Lists the connection among the sessions of all protocols; false if there are too many. */
    boolean register(Sessions sessions, Channel accepted) {
        String address = Session.address(accepted.remoteAddress());
        Optional<Session> opening = sessions.open("hbase", address, Principal.ANONYMOUS, this);
        session = opening;
        opening.ifPresent(open -> accepted.closeFuture().addListener(closed -> open.close()));
        return opening.isPresent();
    }

    @Override
    public Session.Activity activity() {
        return new Session.Activity(lastMethod, running.get() > 0);
    }

    /** Called by any thread, as the end of the connection's session. */
    @Override
    public void close() {
        channel.ifPresent(ChannelHandlerContext::close);
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
        long nanos = context.options().stallMax().dividedBy(STALL_LOOKS).toNanos();
        var looks = active.executor()
                .scheduleWithFixedDelay(() -> closeIfStalled(active), nanos, nanos, TimeUnit.NANOSECONDS);
        active.channel().closeFuture().addListener(closed -> looks.cancel(false));
    }

    /**
     * Closes the connection of a client that stopped in the middle of a transfer, to free its memory. A long call is
     * no stall, since nothing is being transferred; nor is a request that we do not read because the connection has
     * too many calls.
     */
    private void closeIfStalled(ChannelHandlerContext active) {
        ChannelOutboundBuffer leaving = active.channel().unsafe().outboundBuffer();
        long sent = output.sent() + (leaving == null ? 0 : leaving.currentProgress());
        boolean reads = frames.isUnderWay() && active.channel().config().isAutoRead();
        boolean writeStalled = writing.isTooLong(!output.isEmpty(), sent);
        boolean readStalled = reading.isTooLong(reads, frames.received());
        if (writeStalled || readStalled) {
            LOG.info(
                    "The connection of {} is closed: {} did not move for {}",
                    active.channel().remoteAddress(),
                    writeStalled ? "its answers" : "its request",
                    context.options().stallMax());
            active.close();
        }
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

    /** Sends a fatal error and closes, since the rest of the stream cannot be parsed or is not for us. */
    void giveUp(IOException reason) {
        if (givenUp) {
            return;
        }
        givenUp = true;
        try {
            send(Responses.failed(channel().alloc(), NO_CALL, reason), true);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void send(ByteBuf bytes, boolean last) {
        output.take(bytes.readableBytes());
        sendTaken(bytes, last);
    }

    private void sendTaken(ByteBuf bytes, boolean last) {
        int length = bytes.readableBytes();
        // Adds the listener before writing: a client that has read a response may call at once, and must find the
        // budget released.
        ChannelPromise written = channel().newPromise();
        written.addListener(sent -> output.release(length));
        if (last) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
        channel().writeAndFlush(bytes, written);
    }

    @Override
    public void frame(byte[] frame) {
        if (givenUp) {
            context.memory().release(frame.length);
        } else if (opened.isEmpty()) {
            open(frame);
            context.memory().release(frame.length);
        } else {
            call(opened.get(), frame);
        }
    }

    private void open(byte[] frame) {
        try {
            ConnectionHeader header = ConnectionHeader.parseFrom(frame);
            String user = header.getUserInfo().getEffectiveUser();
            Optional<IOException> refusal = login(user);
            CellBlocks blocks = CellBlocks.of(
                    header.getCellBlockCodecClass(),
                    header.getCellBlockCompressorClass(),
                    frames.bytesMax(),
                    context.memory());
            Client client = new Client(
                    user, blocks.areCarried(), header.getVersionInfo().getVersion(), session.orElseThrow());
            RpcService service = context.services().service(header.getServiceName());
            opened = Optional.of(new Opened(service, client, blocks, refusal));
        } catch (InvalidProtocolBufferException unreadable) {
            giveUp(new FatalConnectionException("The connection header cannot be read: " + unreadable.getMessage()));
        } catch (IOException refused) {
            giveUp(refused);
        }
    }

    private ClientAddress client() {
        return ClientAddress.of(Session.address(channel().channel().remoteAddress()));
    }

    /** A refused user gets an error for each call, since only there the client turns it into an exception. */
    private Optional<IOException> login(String stated) {
        try {
            Optional<String> certified = CertifiedName.of(channel().pipeline());
            Principal principal = context.options().identities().principal(stated, certified, client());
            session.ifPresent(known -> known.login(principal));
            return Optional.empty();
        } catch (AccessDeniedException refused) {
            return Optional.of(refused);
        }
    }

    private void call(Opened connection, byte[] frame) {
        CodedInputStream in = UnsafeByteOperations.unsafeWrap(frame).newCodedInput();
        in.enableAliasing(true);
        RequestHeader header;
        try {
            header = in.readMessage(RequestHeader.parser(), ExtensionRegistryLite.getEmptyRegistry());
        } catch (IOException unreadable) {
            context.memory().release(frame.length);
            giveUp(new FatalConnectionException("A request header cannot be read: " + unreadable.getMessage()));
            return;
        }
        if (running.incrementAndGet() > RUNNING_MAX) {
            channel().channel().config().setAutoRead(false);
        }
        String method = header.getMethodName();
        lastMethod = method.substring(0, Math.min(SHOWN_CHARS_MAX, method.length()));
        if (connection.refusal().isPresent()) {
            end(connection, header, frame.length, null, connection.refusal().get());
            return;
        }
        RunningCall call = new RunningCall(context, connection.service(), connection.client(), header, output);
        call.start(
                in,
                frame,
                connection.blocks(),
                (answer, failure) -> end(connection, header, frame.length, answer, failure));
    }

    private void end(
            Opened connection,
            RequestHeader header,
            int frameBytes,
            @Nullable Answer answer,
            @Nullable Throwable failure) {
        context.memory().release(frameBytes);
        respond(connection, header.getCallId(), answer, failure);
        if (running.decrementAndGet() == RUNNING_MAX / 2) {
            // Runs on the connection's event loop, which alone starts and stops reading: otherwise the decision could
            // be stale when it takes effect, and the connection would hang.
            channel().executor().execute(() -> resume(channel()));
        }
    }

    private void respond(Opened connection, int callId, @Nullable Answer answer, @Nullable Throwable failure) {
        ChannelHandlerContext to = channel();
        try {
            if (answer == null) {
                Throwable reason = failure == null ? new IllegalStateException("no answer") : failure;
                send(Responses.failed(to.alloc(), callId, Failures.of(reason)), false);
                return;
            }
            ByteBuf bytes = Responses.of(to.alloc(), callId, answer, connection.blocks());
            if (output.tryTake(bytes.readableBytes())) {
                sendTaken(bytes, false);
            } else {
                bytes.release();
                send(withoutRoom(connection, callId, answer), false);
            }
        } catch (IOException | RuntimeException | Error unwritable) {
            LOG.error("An answer cannot be written", unwritable);
            to.close();
        }
    }

    private ByteBuf withoutRoom(Opened connection, int callId, Answer answer) throws IOException {
        return answer.fallback().isPresent()
                ? Responses.of(
                        channel().alloc(), callId, answer.fallback().get().get(), connection.blocks())
                : Responses.failed(channel().alloc(), callId, new CallQueueTooBigException(OutputBudget.NO_ROOM));
    }

    /** Resumes reading if neither running calls nor unsent responses are too many. */
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
        String text = "RPC data length of " + length + " is greater than max allowed " + frames.bytesMax();
        refuse(start, new RequestTooBigException(text));
    }

    @Override
    public void noRoom(byte[] start) {
        refuse(start, new CallQueueTooBigException(RunningCall.NO_ROOM));
    }

    /** Refuses a call of which only the start was read. */
    private void refuse(byte[] start, IOException refusal) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(start);
            RequestHeader header = in.readMessage(RequestHeader.parser(), ExtensionRegistryLite.getEmptyRegistry());
            send(Responses.failed(channel().alloc(), header.getCallId(), refusal), false);
        } catch (IOException unreadable) {
            giveUp(new FatalConnectionException(refusal.getMessage()));
        }
    }

    @Override
    public void badLength(int length) {
        giveUp(new FatalConnectionException("A frame of " + length + " bytes"));
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        frames.release();
        inactive.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable failure) {
        // A disconnected client is no error.
        LOG.debug("A connection failed", failure);
        active.close();
    }
}
