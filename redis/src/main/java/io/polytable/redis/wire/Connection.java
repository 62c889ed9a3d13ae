package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.config.OutputLimit;
import io.polytable.redis.command.config.Settings;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: runs its requests in order and collects their replies until the {@link Turn} ends. It stops running when
 * a request must wait (for room, for the end of a pause, for an answer that comes later), when its client does not read
 * what it was answered, and, to be fair to the others, after so many requests in a turn.
 */
// Where a future is ignored: a channel that fails to close is gone anyway, and a timer only wakes up.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connection extends ChannelInboundHandlerAdapter implements InputLimits {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** After so many requests the other connections of the loop have their turn. */
    static final int REQUESTS_PER_TURN = 512;

    /** With so much unsent, no further request runs. */
    static final int UNSENT_BYTES_MAX = 1 << 20;

    /** A connection that does not run requests still reads up to here, so that it sees its client leave. */
    private static final int READ_AHEAD_BYTES_MAX = 64 * 1024;

    private static final String TOO_MUCH_INPUT =
            "all clients together hold more input than maxmemory-clients, or the heap, allows";

    private final Turn turn;
    private final Dispatcher dispatcher;
    private final Call call;
    private final Settings settings;
    private final Channel channel;
    private final Session session;
    private final RequestDecoder decoder = new RequestDecoder(this);
    private final Output output;
    private final BlockedRequest blocked;
    private boolean dirty;

    /** Waits for something other than bytes; the number tells a wake-up for this wait from a late one. */
    private boolean parked;

    private long parkings;

    /** The decoded request was not run yet. */
    private boolean requestWaits;

    /** What the budget of all connections knows of this one's input. */
    private long budgetedBytes;

    private boolean ending;

    /** Its input is thrown away. */
    private boolean lingering;

    /** Something came since the last look. */
    private boolean heard;

    private boolean inputEnded;

    Connection(Turn turn, Channel channel, Session session) {
        this.turn = turn;
        this.dispatcher = turn.dispatcher();
        this.call = dispatcher.call();
        this.settings = turn.node().settings();
        this.channel = channel;
        this.session = session;
        this.output = new Output(channel, turn.tally());
        this.blocked = new BlockedRequest(turn, session);
    }

    Output output() {
        return output;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            turn.tally().received(in.readableBytes());
            heard = true;
            if (!lingering) {
                decoder.feed(in);
            }
        } finally {
            in.release();
        }
        work();
    }

    private void work() {
        if (!parked && !ending) {
            turn.begin(this);
            try {
                runRequests();
            } catch (ProtocolError error) {
                refuse(new RedisError(error.text()));
            }
            if (inputEnded && !parked && !ending) {
                endAfterReplies();
            }
            endWork();
        }
        readAhead();
    }

    /** A client that says nothing more still gets its answers, unless it waits for something that may never come. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            if (session.waiting() || output.isFinished()) {
                channel.close();
            } else {
                work();
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void runRequests() {
        int left = REQUESTS_PER_TURN;
        while (!parked && !ending && (requestWaits || decoder.next())) {
            requestWaits = true;
            if (left-- == 0) {
                yieldToOthers();
            } else if (output.waitingBytes() > UNSENT_BYTES_MAX || !channel.isWritable()) {
                park();
            } else {
                runRequest();
            }
        }
    }

    private void runRequest() {
        call.begin(session, decoder.words(), decoder.count());
        Reply refusal = dispatcher.refusal();
        if (refusal != null) {
            requestWaits = false;
            answer(refusal);
        } else if (mayRun()) {
            requestWaits = false;
            answer(dispatcher.isOffLoop() ? runOffLoop() : dispatcher.run());
        }
    }

    private Reply runOffLoop() {
        Bytes[] words = Arrays.copyOf(decoder.words(), decoder.count());
        return turn.workers().submit(own -> own.run(session, words));
    }

    private boolean mayRun() {
        if (dispatcher.mustWaitForRoom()) {
            turn.node().keyspace().store().whenRoom(wakeUp());
            return false;
        }
        long pausedMillis = dispatcher.pausedMillis();
        if (pausedMillis > 0) {
            turn.node().pause().whenOver(wakeUp());
            turn.loop().schedule(this::endPause, pausedMillis, TimeUnit.MILLISECONDS);
            return false;
        }
        return true;
    }

    private void endPause() {
        turn.node().pause().expire(turn.node().clock().millis());
    }

    private void answer(Reply reply) {
        if (reply instanceof Reply.Blocked wait) {
            block(wait.waiter());
            return;
        }
        if (blocked.waits()) {
            blocked.end();
        }
        if (reply instanceof Reply.Later later) {
            await(later);
            return;
        }
        switch (session.replies()) {
            case ON -> turn.write(reply, session.protocol());
            case OFF -> {}
            case SKIP_NEXT -> session.replies(Session.Replies.SKIP);
            case SKIP -> session.replies(Session.Replies.ON);
        }
    }

    /** The request stays where it is, and the room of waiters says when to try it again. */
    private void block(Waiter waiter) {
        requestWaits = true;
        park();
        if (inputEnded) {
            // Nobody is left who could be told.
            channel.close();
        } else {
            blocked.begin(waiter, () -> giveUp(waiter.otherwise()));
        }
    }

    /** On the connection's own loop, in a task of its own. */
    void tryAgain() {
        if (blocked.waits()) {
            Reply verdict = blocked.verdict();
            if (verdict == null) {
                wake(parkings);
            } else {
                giveUp(verdict);
            }
        }
    }

    private void giveUp(Reply answer) {
        if (blocked.waits() && channel.isActive()) {
            requestWaits = false;
            goOnWith(answer);
        }
    }

    private void await(Reply.Later later) {
        long parking = park();
        later.answer().whenComplete((answer, failure) -> turn.loop().execute(() -> answerLater(parking, answer)));
    }

    private void answerLater(long parking, @Nullable Reply answer) {
        if (parked && parking == parkings && channel.isActive()) {
            goOnWith(answer == null ? Reply.error(new RedisError("the answer got lost")) : answer);
        }
    }

    private void goOnWith(Reply answer) {
        parked = false;
        turn.begin(this);
        answer(answer);
        endWork();
        work();
    }

    private long park() {
        parked = true;
        return ++parkings;
    }

    /** Parks the connection and answers what wakes it up, from any thread. */
    private Runnable wakeUp() {
        long parking = park();
        return () -> turn.loop().execute(() -> wake(parking));
    }

    private void wake(long parking) {
        if (parked && parking == parkings && channel.isActive()) {
            parked = false;
            work();
        }
    }

    private void yieldToOthers() {
        long parking = park();
        // A scheduled task runs in the next turn, after the loop has looked at the other connections.
        turn.loop().schedule(() -> wake(parking), 0, TimeUnit.NANOSECONDS);
    }

    private void readAhead() {
        long heldBytes = decoder.heldBytes();
        if (heldBytes != budgetedBytes && !ending) {
            budget(heldBytes);
        }
        boolean reads = lingering || (!ending && (!parked || heldBytes < READ_AHEAD_BYTES_MAX));
        if (channel.config().isAutoRead() != reads) {
            channel.config().setAutoRead(reads);
        }
    }

    private void budget(long heldBytes) {
        boolean fits = turn.input().change(heldBytes - budgetedBytes);
        budgetedBytes = heldBytes;
        if (!fits) {
            // Given back at once, not when the channel is gone: otherwise the others of this turn would go too.
            turn.input().change(-heldBytes);
            budgetedBytes = 0;
            LOG.warn("Closing client {}: all clients together hold more input than maxmemory-clients", session.id());
            turn.begin(this);
            refuse(new RedisError(RedisError.Code.OOM, TOO_MUCH_INPUT));
            endWork();
        }
    }

    /**
     * Answers the error and runs nothing more. What still comes is thrown away until the client falls silent or leaves: a
     * close beside unread input would reset the connection, and the client would never hear why.
     */
    private void refuse(RedisError error) {
        turn.write(Reply.error(error), session.protocol());
        decoder.drop();
        lingering = true;
        output.finishWhenSent();
        endAfterReplies();
    }

    private void endWork() {
        turn.pause();
        if (!dirty && output.isDirty()) {
            dirty = true;
            turn.dirty(this);
        }
    }

    /** Sends what this turn answered. */
    void send() {
        dirty = false;
        output.send();
        afterSending();
    }

    /** What this turn answered, to be sent later. */
    ByteBuf hold() {
        dirty = false;
        return output.hold();
    }

    void sendHeld(ByteBuf out) {
        output.sendHeld(out);
        afterSending();
    }

    private void afterSending() {
        if (output.exceedsHard(settings.normalOutput())) {
            closeSlowReader();
        } else if (parked) {
            resumeSoon();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (parked) {
            resumeSoon();
        }
    }

    /** In a task of its own: this is called while a turn sends, when no request may run. */
    private void resumeSoon() {
        turn.loop().execute(() -> {
            // Whoever parked for another reason has its own wake-up; one more look does no harm.
            if (requestWaits && channel.isWritable() && output.waitingBytes() <= UNSENT_BYTES_MAX) {
                wake(parkings);
            }
        });
    }

    private void closeSlowReader() {
        LOG.warn("Closing client {}: more unread replies than client-output-buffer-limit allows", session.id());
        channel.close();
    }

    /** Once a second. */
    void lookAt(long nowMillis) {
        if (output.isFinished() && !heard) {
            channel.close();
        }
        heard = false;
        OutputLimit limit = settings.normalOutput();
        if (output.exceedsSoft(limit, nowMillis)) {
            closeSlowReader();
        }
        long timeoutMillis = settings.timeoutSeconds() * 1000;
        if (timeoutMillis > 0 && !session.waiting() && nowMillis - session.lastMillis() > timeoutMillis) {
            channel.close();
        }
    }

    /** No further request runs; the connection closes when all replies are out. On the connection's own loop. */
    void endAfterReplies() {
        ending = true;
        output.closeWhenSent();
        if (!dirty) {
            dirty = true;
            turn.dirty(this);
        }
    }

    long queryBytes() {
        return decoder.heldBytes();
    }

    @Override
    public boolean authenticated() {
        return session.authenticated();
    }

    @Override
    public long wordBytesMax() {
        return settings.wordBytesMax();
    }

    @Override
    public long requestBytesMax() {
        return settings.queryBytesMax();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        turn.remove(this);
        turn.node().clients().leave(session);
        blocked.end();
        turn.input().change(-budgetedBytes);
        budgetedBytes = 0;
        parkings++;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("Closing client {} after a failure of the server", session.id(), cause);
        }
        context.close();
    }
}
