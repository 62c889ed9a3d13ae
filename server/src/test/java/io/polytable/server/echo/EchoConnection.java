package io.polytable.server.echo;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.session.Session;
import io.polytable.table.Commit;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One client: the bytes of the protocol. */
final class EchoConnection extends SimpleChannelInboundHandler<ByteBuf> implements Session.Client {
    private static final int LINE_BYTES_MAX = 1 << 16;

    private final EchoRows rows;
    private final AnswerGate answers;
    private final Budget waiting;
    private final LongAdder lines;
    private volatile Session.Activity activity = Session.Activity.NONE;
    private @Nullable Channel channel;
    private String address = "";

    EchoConnection(EchoRows rows, AnswerGate answers, Budget waiting, LongAdder lines) {
        this.rows = rows;
        this.answers = answers;
        this.waiting = waiting;
        this.lines = lines;
    }

    void serve(Channel accepted, Session session) {
        channel = accepted;
        address = session.address();
        accepted.closeFuture().addListener(closed -> session.close());
        accepted.pipeline().addLast(new LineBasedFrameDecoder(LINE_BYTES_MAX), this);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        String line = message.toString(StandardCharsets.UTF_8);
        if (line.isEmpty() || !waiting.tryTake(line.length())) {
            send(context, line.isEmpty() ? "ERR the line is empty" : "BUSY too many lines wait; try again");
            return;
        }
        activity = new Session.Activity(line, true);
        Commit commit = rows.put(line, address);
        // An answer leaves when what it saw is durable: the client relies on it.
        answers.whenSafe(commit, () -> done(line, () -> send(context, line)), failure -> done(line, this::close));
    }

    private void done(String line, Runnable answer) {
        waiting.release(line.length());
        lines.increment();
        activity = new Session.Activity(line, false);
        answer.run();
    }

    private static void send(ChannelHandlerContext context, String line) {
        var unused = context.writeAndFlush(Unpooled.copiedBuffer(line + "\n", StandardCharsets.UTF_8));
    }

    @Override
    public Session.Activity activity() {
        return activity;
    }

    @Override
    public void close() {
        Channel open = channel;
        if (open != null) {
            var unused = open.close();
        }
    }
}
