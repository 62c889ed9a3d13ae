package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.wire.ConnectionState.Phase;
import io.polytable.redis.wire.request.ProtocolError;
import io.polytable.redis.wire.request.RequestDecoder;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: runs its requests in order and collects their replies until the {@link Turn} ends. Its
 * {@link ConnectionState} says whether it runs requests, or why not.
 */
// Ignored futures: a channel that fails to close is gone anyway, and a timer only wakes up.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** After this many requests, the other connections of the loop get their turn. */
    static final int REQUESTS_PER_TURN = 512;

    /** With this many unsent bytes, no further request runs. */
    static final int UNSENT_BYTES_MAX = 1 << 20;

    /** How often a connection checks whether the others have left space for its replies. */
    private static final long CROWDED_MILLIS = 5;

    /** A suspended connection still reads this many bytes, so that it notices a disconnect. */
    private static final int READ_AHEAD_BYTES_MAX = 64 * 1024;

    private final Turn turn;
    private final Dispatcher dispatcher;
    private final Call call;
    private final RedisConfig settings;
    private final Channel channel;
    private final Session session;
    private final RequestDecoder decoder;
    private final Output output;
    private final BlockedRequest blocked;
    private final ClientShare input;
    private final ConnectionState state = new ConnectionState();
    private final PushedOutput pushed;

    /** Whether the turn knows that there are replies to send at its end. */
    private boolean dirty;

    /** The session's change counter at the last reply. */
    private int toldChanges;

    Connection(Turn turn, Channel channel, Session session) {
        this.turn = turn;
        this.dispatcher = turn.dispatcher();
        this.call = dispatcher.call();
        this.settings = turn.node().settings();
        this.channel = channel;
        this.session = session;
        this.decoder = new RequestDecoder(
                new ClientInputLimits(session, settings, turn.node().users()));
        this.output = new Output(channel, turn.tally(), new ClientShare(turn.output()));
        this.blocked = new BlockedRequest(turn);
        this.input = new ClientShare(turn.input());
        this.pushed = new PushedOutput(output, session, settings);
    }

    Output output() {
        return output;
    }

    Session session() {
        return session;
    }

    /** Not earlier: only the end of an active channel is reported. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        turn.add(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            turn.tally().received(in.readableBytes());
            if (state.is(Phase.REFUSED)) {
                output.discarded(in.readableBytes());
            } else {
                decoder.feed(in);
            }
        } finally {
            in.release();
        }
        work(false);
    }

    /** Runs requests, first the kept one, if there is one. */
    private void work(boolean keptRequest) {
        if (state.isRunning()) {
            turn.begin(this);
            try {
                runRequests(keptRequest);
            } catch (ProtocolError error) {
                refuse(new RedisError(error.text()));
            }
            if (state.inputEnded() && state.isRunning()) {
                endAfterReplies();
            }
            endWork();
        }
        readAhead();
    }

    /**
     * A client that has shut down its output still gets its replies, unless its request is blocked and may never end.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            state.endInput();
            if (session.waiter() != null || output.isFinished()) {
                channel.close();
            } else {
                work(false);
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void runRequests(boolean keptRequest) {
        boolean decoded = keptRequest;
        int left = REQUESTS_PER_TURN;
        while (state.isRunning() && (decoded || decoder.next())) {
            decoded = false;
            if (left-- == 0) {
                yieldToOthers();
            } else if (output.waitingBytes() > UNSENT_BYTES_MAX || !channel.isWritable()) {
                state.suspend(Phase.CLIENT_SLOW);
            } else if (output.isCrowded()) {
                turn.loop().schedule(suspend(Phase.CROWDED), CROWDED_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                runRequest();
            }
        }
    }

    private void runRequest() {
        call.begin(session, decoder.words(), decoder.count());
        Reply refusal = dispatcher.refusal();
        if (refusal != null) {
            answer(refusal);
        } else if (mayRun()) {
            Reply reply = dispatcher.isOffLoop() ? Reply.MOVED : dispatcher.run();
            if (reply == Reply.HELD) {
                turn.loop().schedule(suspend(Phase.YIELDED), 1, TimeUnit.MILLISECONDS);
                return;
            }
            answer(reply == Reply.MOVED ? runOffLoop() : reply);
            dispatcher.release();
            turn.replied();
        }
    }

    private Reply runOffLoop() {
        Bytes[] words = call.copyWords();
        try {
            return turn.workers().submit(own -> own.runForOther(session, words));
        } catch (RedisError busy) {
            return dispatcher.rejected(busy);
        }
    }

    private boolean mayRun() {
        if (turn.push().budget().isFull()) {
            // Any command may post more push messages; the loops must deliver some first.
            turn.loop().schedule(suspend(Phase.YIELDED), 1, TimeUnit.MILLISECONDS);
            return false;
        }
        if (dispatcher.mustWaitForRoom()) {
            turn.node().keyspace().store().whenRoom(suspend(Phase.STORE_FULL));
            return false;
        }
        if (dispatcher.mustWaitForEviction()) {
            turn.loop().schedule(suspend(Phase.YIELDED), 1, TimeUnit.MILLISECONDS);
            return false;
        }
        long pausedMillis = dispatcher.pausedMillis();
        if (pausedMillis > 0) {
            // CLIENT LIST shows the held command.
            session.ran(call.command(), call.nowMillis());
        }
        session.paused(pausedMillis > 0);
        if (pausedMillis > 0) {
            turn.node().pause().whenOver(suspend(Phase.PAUSED));
            turn.loop().schedule(this::endPause, pausedMillis, TimeUnit.MILLISECONDS);
            return false;
        }
        return true;
    }

    private void endPause() {
        long leftMillis = turn.node().pause().expire(turn.node().clock().millis());
        if (leftMillis > 0 && state.is(Phase.PAUSED)) {
            turn.loop().schedule(this::endPause, leftMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void answer(Reply reply) {
        if (reply instanceof Reply.Blocked wait) {
            block(wait.waiter());
            return;
        }
        if (reply instanceof Reply.Later later) {
            await(later);
            return;
        }
        if (reply instanceof Reply.Counted counted) {
            answer(counted.reply());
            counted.written().run();
            return;
        }
        boolean told = true;
        boolean always = reply instanceof Reply.Pushes || reply instanceof Reply.Transcript;
        if (always || session.replies() == Session.Replies.ON) {
            told = turn.write(reply, session.protocol());
        }
        switch (session.replies()) {
            case ON, OFF -> {}
            case SKIP_NEXT -> session.replies(Session.Replies.SKIP);
            case SKIP -> session.replies(Session.Replies.ON);
        }
        // The client received an error for a command that took effect: it must reconnect.
        if (session.isOutOfSync() || (!told && (session.wrote() || session.changes() != toldChanges))) {
            hangUp();
        }
        toldChanges = session.changes();
    }

    /** Suspends the connection until the {@code Waiting} entry ends; whoever ends it reports on this loop. */
    private void block(Waiter waiter) {
        state.suspend(Phase.BLOCKED);
        if (state.inputEnded()) {
            // The client would not get a reply.
            channel.close();
        } else {
            decoder.releaseRequest();
            blocked.begin(waiter, () -> giveUp(waiter));
        }
    }

    /** Called on the connection's own loop, in a task of its own. */
    void answerBlocked(Waiter waiter, Reply reply) {
        if (blocked.is(waiter) && state.is(Phase.BLOCKED) && channel.isActive()) {
            blocked.end();
            if (waiter.isUnserved()) {
                dispatcher.endedUnserved(waiter, reply);
            }
            resumeWith(reply);
        }
    }

    /** As {@link #answerBlocked}, which receives the reply, if there is one. */
    void retry(Waiter waiter) {
        if (blocked.is(waiter)) {
            dispatcher.tick();
            dispatcher.retry(waiter);
        }
    }

    private void giveUp(Waiter waiter) {
        if (blocked.is(waiter) && blocked.expires()) {
            answerBlocked(waiter, waiter.otherwise());
        }
    }

    private void await(Reply.Later later) {
        long ticket = state.suspend(Phase.ANSWER_PENDING);
        later.answer().whenComplete((answer, failure) -> turn.loop().execute(() -> answerLater(ticket, answer)));
    }

    private void answerLater(long ticket, @Nullable Reply answer) {
        if (state.isSuspended(ticket) && channel.isActive()) {
            resumeWith(answer == null ? Reply.error(new RedisError("internal error: no reply")) : answer);
            return;
        }
        if (answer instanceof Reply.Counted counted) {
            counted.written().run();
        }
        // The command may have subscribed its client after the disconnect.
        turn.node().stopPushes(session);
    }

    /** Answers the request that the connection is suspended for, and continues with the next. */
    private void resumeWith(Reply answer) {
        state.resume();
        session.answered(turn.node().clock().millis());
        turn.begin(this);
        answer(answer);
        turn.pause();
        if (!state.isOver()) {
            pushed.tellPostponed();
        }
        endWork();
        work(false);
    }

    /** Suspends the connection; returns the action that resumes it, from any thread. */
    private Runnable suspend(Phase why) {
        long ticket = state.suspend(why);
        return () -> turn.loop().execute(() -> resume(ticket));
    }

    private void resume(long ticket) {
        if (state.isSuspended(ticket) && channel.isActive()) {
            work(state.resume());
        }
    }

    private void yieldToOthers() {
        long ticket = state.suspend(Phase.YIELDED);
        // A scheduled task runs in the next turn, after the loop has polled the other connections.
        turn.loop().schedule(() -> resume(ticket), 0, TimeUnit.NANOSECONDS);
    }

    private void readAhead() {
        long heldBytes = decoder.heldBytes();
        long keptBytes = session.transaction().queuedBytes() + session.heldBytes();
        if (!state.isOver() && !input.hold(heldBytes + keptBytes)) {
            LOG.warn("Closing client {}: all clients together hold more input than maxmemory-clients", session.id());
            turn.begin(this);
            refuse(CommandErrors.TOO_MUCH_INPUT);
            endWork();
        }
        boolean reads = state.isRunning()
                || (state.is(Phase.REFUSED) && output.mayDiscard())
                || (!state.isOver() && heldBytes < READ_AHEAD_BYTES_MAX);
        if (channel.config().isAutoRead() != reads) {
            channel.config().setAutoRead(reads);
        }
    }

    /** Answers the error and runs nothing more. */
    private void refuse(RedisError error) {
        // No write may serve a client that gets no more replies.
        turn.node().waiting().leave(session);
        blocked.end();
        turn.write(Reply.error(error), session.protocol());
        hangUp();
    }

    /**
     * Ends the connection after an error reply. A little later input is discarded: closing with unread input would
     * reset the connection, and the client would not see the error.
     */
    private void hangUp() {
        turn.node().stopPushes(session);
        decoder.drop();
        state.refuse();
        output.finishWhenSent();
        endAfterReplies();
    }

    private void endWork() {
        turn.pause();
        if (output.isDirty()) {
            markDirty();
        }
    }

    /** Sends a push message. */
    void tell(SharedPush copies) {
        if (state.isOver() || !channel.isActive()) {
            return;
        }
        boolean postpones = state.is(Phase.ANSWER_PENDING);
        if (!(postpones ? pushed.postpone(copies) : pushed.tell(copies))) {
            closeSlowReader();
            return;
        }
        if (!postpones) {
            markDirty();
        }
        closeIfTooSlow();
    }

    private void markDirty() {
        if (!dirty) {
            dirty = true;
            turn.dirty(this);
        }
    }

    /** Sends the replies of this turn. */
    void send() {
        dirty = false;
        output.send();
        afterSending();
    }

    /** Drops the replies of this turn and runs nothing more. */
    void abandon() {
        dirty = false;
        state.close();
        output.drop(output.hold());
    }

    /** Takes the replies of this turn, to be sent later. */
    ByteBuf hold() {
        dirty = false;
        return output.hold();
    }

    void sendHeld(ByteBuf out) {
        output.sendHeld(out);
        afterSending();
    }

    private void afterSending() {
        output.recount();
        closeIfTooSlow();
        if (state.is(Phase.CLIENT_SLOW)) {
            resumeSoon();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        afterSending();
    }

    /** In a task of its own: the turn is sending, and no request may run meanwhile. */
    private void resumeSoon() {
        long ticket = state.ticket();
        turn.loop().execute(() -> {
            if (channel.isWritable() && output.waitingBytes() <= UNSENT_BYTES_MAX) {
                resume(ticket);
            }
        });
    }

    private void closeIfTooSlow() {
        if (pushed.isTooMuch()) {
            closeSlowReader();
        }
    }

    private void closeSlowReader() {
        LOG.warn("Closing client {}: more unread replies than client-output-buffer-limit allows", session.id());
        channel.close();
    }

    /** Called once per second. */
    void check(long nowMillis) {
        afterSending();
        if (pushed.isTooMuchForLong(nowMillis)) {
            closeSlowReader();
        }
        long timeoutMillis = settings.timeoutMillis();
        boolean quiet = state.owesAnswer() || session.pushState().isRestricted() || session.isReplica();
        if (timeoutMillis > 0 && !quiet && nowMillis - session.lastMillis() > timeoutMillis) {
            channel.close();
        }
    }

    /** Runs no further request, and closes when all replies are sent. Called on the connection's own loop. */
    void endAfterReplies() {
        state.close();
        output.closeWhenSent();
        markDirty();
    }

    long queryBytes() {
        return decoder.heldBytes();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        turn.remove(this);
        turn.node().replication().leave(session);
        turn.node().stopPushes(session);
        turn.node().waiting().leave(session);
        turn.node().watches().leave(session);
        blocked.end();
        input.release();
        pushed.end();
        output.release();
        state.disconnected();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("Closing client {} after a failure of the server", session.id(), cause);
        }
        context.close();
    }
}
