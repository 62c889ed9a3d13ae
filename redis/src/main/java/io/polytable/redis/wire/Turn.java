package io.polytable.redis.wire;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Tally;
import io.polytable.table.Commit;
import io.polytable.table.TableStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final ClientBudget input;
    private final ClientBudget output;
    private final Workers workers;
    private final Dispatcher dispatcher;
    private final ReplyWriter writer = new ReplyWriter((bytes, offset, length) -> {});
    private final Set<Connection> connections = new HashSet<>();
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
        this.input = engine.input();
        this.output = engine.output();
        this.workers = engine.workers();
        this.dispatcher = engine.newDispatcher(tally);
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
        return input;
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

    /** A connection starts to run commands. */
    void begin(Connection connection) {
        dispatcher.tick();
        writer.begin(connection.output());
    }

    void write(Reply reply, int protocol) {
        writer.write(reply, protocol);
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
        List.copyOf(connections).forEach(Connection::abandon);
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
        connections.add(connection);
        if (!looksAround) {
            looksAround = true;
            loop.scheduleAtFixedRate(this::lookAround, 1, 1, TimeUnit.SECONDS);
        }
    }

    void remove(Connection connection) {
        connections.remove(connection);
    }

    /** Once a second: who is idle for too long, or reads too slowly? */
    private void lookAround() {
        long nowMillis = node.clock().millis();
        for (Connection connection : List.copyOf(connections)) {
            connection.lookAt(nowMillis);
        }
    }
}
