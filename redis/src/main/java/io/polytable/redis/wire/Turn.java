package io.polytable.redis.wire;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.ClientBudget;
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
 * What one event loop does with its connections in one turn. The commands of all of them run first; when the turn ends,
 * everything they committed is handed to the log with one write, and then their replies leave. Where the log needs
 * longer (a sync, an acknowledgement), the replies of the turn are held in order and the loop goes on; the log's thread
 * wakes it up at most once for all that became durable meanwhile.
 */
// The look around ends with the loop: nobody asks its future.
@SuppressWarnings("FutureReturnValueIgnored")
final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    /** Beyond this many turns waiting, the next ones join the last: how many there are is bounded, their bytes are by connection. */
    private static final int HELD_TURNS_MAX = 64;

    private final Loop loop;
    private final Node node;
    private final TableStore store;
    private final Tally tally;
    private final ClientBudget output;
    private final Workers workers;
    private final Dispatcher dispatcher;
    private final LoopPushQueue push;
    private final ReplyWriter writer = new ReplyWriter((bytes, offset, length) -> {});
    private final Map<Session, Connection> connections = new HashMap<>();
    private final List<Connection> dirty = new ArrayList<>();
    private final Deque<HeldReplies> held = new ArrayDeque<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private boolean looksAround;
    private boolean failed;

    Turn(Loop loop, ServerContext engine) {
        this.loop = loop;
        this.node = engine.node();
        this.store = engine.store();
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

    ClientBudget input() {
        return node.input();
    }

    ClientBudget output() {
        return output;
    }

    Workers workers() {
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

    /** A connection starts to run commands. What was posted before they came is told before their replies. */
    void begin(Connection connection) {
        push.deliver();
        dispatcher.tick();
        writer.begin(connection.output());
    }

    /** Answers whether there was room for it. */
    boolean write(Reply reply, int protocol) {
        return writer.write(reply, protocol);
    }

    /** A reply was written: what its command had to tell others, and itself, follows it. */
    void replied() {
        if (!push.isEmpty()) {
            writer.end();
            push.deliver();
        }
    }

    /** It has run what it could. */
    void pause() {
        writer.end();
    }

    /** The connection has replies to send when the turn ends; it says so once a turn. */
    void dirty(Connection connection) {
        dirty.add(connection);
    }

    void end() {
        node.tracking().broadcast();
        push.deliver();
        if (dirty.isEmpty()) {
            return;
        }
        try {
            handOver();
        } catch (RuntimeException | Error failure) {
            // Out of here it would end the event loop, with its sockets open and their clients waiting for ever.
            abandon(failure);
        }
        dirty.clear();
    }

    private void handOver() {
        tally.turned();
        Commit latest = store.latest();
        boolean durable = latest.isDurable();
        if (!durable) {
            tally.flushed();
            store.flush();
            durable = latest.isDurable();
        }
        if (durable && held.isEmpty()) {
            sendAll();
        } else {
            hold(latest);
        }
    }

    /**
     * The log cannot be written: what the connections saw may be lost, so their replies are dropped, and they are closed.
     * Whoever runs the face takes it down.
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

    private void hold(Commit latest) {
        HeldReplies turn = held.size() < HELD_TURNS_MAX ? new HeldReplies() : held.getLast();
        for (Connection connection : dirty) {
            turn.add(connection, connection.hold());
        }
        turn.until(latest);
        if (held.peekLast() != turn) {
            held.addLast(turn);
        }
        latest.durable().whenComplete((done, failure) -> wake());
    }

    /** Called by the log's thread, once for each turn; the loop needs to hear it only once. */
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
        if (!looksAround) {
            looksAround = true;
            loop.scheduleAtFixedRate(this::lookAround, 1, 1, TimeUnit.SECONDS);
        }
    }

    void remove(Connection connection) {
        connections.remove(connection.session());
    }

    /** Once a second: who is idle for too long, or reads too slowly? */
    private void lookAround() {
        long nowMillis = node.clock().millis();
        for (Connection connection : List.copyOf(connections.values())) {
            connection.lookAt(nowMillis);
        }
    }
}
