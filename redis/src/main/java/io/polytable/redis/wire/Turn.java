package io.polytable.redis.wire;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Tally;
import io.polytable.table.Commit;
import io.polytable.table.TableStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of an event loop over its connections. The commands of all connections run first. At the end of the turn,
 * one write hands all their commits to the log, and then their replies leave. If the log needs longer (a sync, an
 * acknowledgement), the replies of the turn are held in order while the loop continues; the log's thread wakes it at
 * most once for all that became durable meanwhile.
 */
// The periodic check ends with the loop, so its future is ignored.
@SuppressWarnings("FutureReturnValueIgnored")
final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    /**
     * Beyond this many held turns, the next ones join the last. This bounds their number; each connection bounds their
     * bytes.
     */
    private static final int HELD_TURNS_MAX = 64;

    private static final long NOT_STARTED = Long.MIN_VALUE;

    private final Loop loop;
    private final Node node;
    private final TableStore store;
    private final AnswerGate answers;
    private final Tally tally;
    private final Budget output;
    private final LongCommands workers;
    private final Dispatcher dispatcher;
    private final LoopPushQueue push;
    private final ReplyWriter writer = new ReplyWriter((bytes, offset, length) -> {});
    private final Map<Session, Connection> connections = new HashMap<>();
    private final List<Connection> dirty = new ArrayList<>();
    private final Deque<HeldReplies> held = new ArrayDeque<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private boolean checks;
    private boolean failed;

    /** When the first connection of this turn began to run commands. */
    private long startNanos = NOT_STARTED;

    Turn(Loop loop, ServerContext engine) {
        this.loop = loop;
        this.node = engine.node();
        this.store = engine.store();
        this.answers = engine.answers();
        this.tally = engine.newTally();
        this.output = engine.output();
        this.workers = engine.workers();
        this.dispatcher = engine.newDispatcher(tally);
        this.push = new LoopPushQueue(this, engine.push());
    }

    Loop loop() {
        return loop;
    }

    Node node() {
        return node;
    }

    Tally tally() {
        return tally;
    }

    Budget input() {
        return node.input();
    }

    Budget output() {
        return output;
    }

    LongCommands workers() {
        return workers;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    LoopPushQueue push() {
        return push;
    }

    /** The connection of a session of this loop, while it is open. */
    @Nullable
    Connection connection(Session session) {
        return connections.get(session);
    }

    /** A connection starts to run commands. Push messages posted before come before its replies. */
    void begin(Connection connection) {
        if (startNanos == NOT_STARTED) {
            startNanos = System.nanoTime();
        }
        push.deliver();
        dispatcher.tick();
        writer.begin(connection.output());
    }

    /** Returns whether there was space for it. */
    boolean write(Reply reply, int protocol) {
        return writer.write(reply, protocol);
    }

    /** Delivers the push messages that the command caused, after its reply. */
    void replied() {
        if (!push.isEmpty()) {
            writer.end();
            push.deliver();
        }
    }

    /** The connection has run what it could. */
    void pause() {
        writer.end();
    }

    /** Registers a connection with replies to send at the end of the turn; at most once per turn. */
    void dirty(Connection connection) {
        dirty.add(connection);
    }

    void end() {
        node.tracking().broadcast();
        push.deliver();
        if (dirty.isEmpty()) {
            startNanos = NOT_STARTED;
            return;
        }
        try {
            handOver();
        } catch (RuntimeException | Error failure) {
            // An exception would end the event loop, with its sockets open and its clients waiting forever.
            abandon(failure);
        }
        dirty.clear();
        startNanos = NOT_STARTED;
    }

    private void handOver() {
        tally.turned(startNanos == NOT_STARTED ? 0 : System.nanoTime() - startNanos);
        Commit seen = answers.seen();
        boolean isSafe = answers.isSafe(seen);
        if (!isSafe) {
            tally.flushed();
            store.flush();
            isSafe = answers.isSafe(seen);
        }
        if (isSafe && held.isEmpty()) {
            sendAll();
        } else {
            hold(seen);
        }
    }

    /**
     * The log cannot be written: the commits may be lost, so the replies are dropped and the connections closed. The
     * owner of the frontend shuts it down.
     */
    private void abandon(Throwable failure) {
        if (!failed) {
            failed = true;
            LOG.error("The log cannot be written; the connections of this event loop are closed", failure);
        }
        held.forEach(HeldReplies::drop);
        held.clear();
        dirty.forEach(Connection::abandon);
        List.copyOf(connections.values()).forEach(Connection::abandon);
    }

    private void sendAll() {
        for (int i = 0; i < dirty.size(); i++) {
            dirty.get(i).send();
        }
    }

    private void hold(Commit seen) {
        HeldReplies turn = held.size() < HELD_TURNS_MAX ? new HeldReplies(answers) : held.getLast();
        for (Connection connection : dirty) {
            turn.add(connection, connection.hold());
        }
        turn.until(seen);
        if (held.peekLast() != turn) {
            held.addLast(turn);
        }
        answers.whenSafe(seen, this::wake, lost -> wake());
    }

    /** Called by the log's thread for each turn; one task on the loop serves all of them. */
    private void wake() {
        if (woken.compareAndSet(false, true)) {
            loop.execute(this::release);
        }
    }

    private void release() {
        woken.set(false);
        try {
            HeldReplies first = held.peekFirst();
            while (first != null && first.release()) {
                held.removeFirst();
                first = held.peekFirst();
            }
        } catch (RuntimeException | Error failure) {
            abandon(failure);
        }
    }

    void add(Connection connection) {
        connections.put(connection.session(), connection);
        if (!checks) {
            checks = true;
            loop.scheduleAtFixedRate(this::checkConnections, 1, 1, TimeUnit.SECONDS);
        }
    }

    void remove(Connection connection) {
        connections.remove(connection.session());
    }

    /** Checks once per second for idle clients and slow readers. */
    private void checkConnections() {
        long nowMillis = node.clock().millis();
        for (Connection connection : List.copyOf(connections.values())) {
            connection.check(nowMillis);
        }
    }
}
