package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.Refusals;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.Settings;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Tally;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls: looks the command up, refuses what has the wrong shape, holds the stripes of its keys while the body runs
 * and its work is committed, and turns every failure into a reply. An event loop has its own one, with its own call and
 * its own unit of work, so nothing is shared or allocated between commands; so has a thread for long commands.
 */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final int KEEP_LOCKS_MAX = 1024;

    private final Node node;
    private final CommandTable table;
    private final TableStore store;
    private final int groups;
    private final Stripes stripes;
    private final KeyStripes keyStripes;
    private final UnitOfWork unit;
    private final Call call;
    private final CallTimer watch;
    private final Listeners listeners;
    private int[] held = new int[16];

    public Dispatcher(Node node, CommandTable table, Tally tally) {
        this.node = node;
        this.table = table;
        this.store = node.keyspace().store();
        this.groups = node.keyspace().groups();
        this.stripes = store.stripes();
        this.keyStripes = new KeyStripes(stripes);
        this.unit = node.keyspace().newUnit();
        this.call = new Call(unit, table);
        this.watch = new CallTimer(node, tally);
        this.listeners = new Listeners(node);
        tick();
    }

    private Dispatcher(Node node, CommandTable table) {
        this(node, table, node.statistics().newTally(table));
    }

    /** One on its own, with a server's usual settings: for tests and tools. */
    public Dispatcher(CommandTable table, Keyspace keyspace, InstantSource clock) {
        this(new Node(keyspace, new Settings(), clock), table);
    }

    /** The one call this dispatcher runs; the caller fills it with words. */
    public Call call() {
        return call;
    }

    /** Looks at the clock: what runs until the next look sees this moment. */
    public void tick() {
        call.at(node.clock().millis());
        watch.start();
    }

    /** The convenient way in, for who does not count nanoseconds. */
    public Reply run(Session session, Bytes... words) {
        tick();
        call.begin(session, words, words.length);
        Reply refusal = refusal();
        return refusal == null ? run() : refusal;
    }

    public Reply run(Session session, String... words) {
        return run(session, Arrays.stream(words).map(Bytes::utf8).toArray(Bytes[]::new));
    }

    /** Looks up the command of the filled call; answers why it cannot run, or null when it can. */
    public @Nullable Reply refusal() {
        Command command = table.find(call.word(0));
        if (command == null && Refusals.isHttp(call)) {
            call.session().peer().close();
            return new Reply.Silence();
        }
        if (command == null) {
            return watch.refused(Refusals.unknownCommand(call));
        }
        if (call.size() > 1 && command.isContainer()) {
            Command sub = table.findSubcommand(command, call.word(1));
            if (sub == null) {
                return watch.refused(Refusals.unknownSubcommand(call));
            }
            command = sub;
        }
        call.command(command);
        if (!command.arity().allows(call.size()) || !command.runs()) {
            return watch.rejected(command, RedisError.wrongArity(command.fullName()));
        }
        if (!call.session().authenticated()
                && !command.noAuth()
                && node.settings().needsPassword()) {
            return watch.rejected(command, Refusals.NOAUTH);
        }
        if (groups > 1 && isAcrossGroups(command)) {
            return watch.rejected(command, Refusals.CROSSSLOT);
        }
        RedisError unfit = listeners.refusal(call);
        return unfit == null ? null : watch.rejected(command, unfit);
    }

    /** What reads would be no more than several looks at several moments, so it is refused too, as in Redis Cluster. */
    private boolean isAcrossGroups(Command command) {
        if (command.firstKeyOnly() || command.keys().isEmpty()) {
            return false;
        }
        KeyPositions keys = call.keyPositions();
        for (int i = 1; i < keys.size(); i++) {
            if (node.keyspace().group(call.word(keys.at(i))) != node.keyspace().group(call.word(keys.at(0)))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the call must wait for room in the store before it may run. */
    public boolean mustWaitForRoom() {
        return call.command().writes() && !store.hasRoom();
    }

    /** For how long the call must wait because clients are paused; zero for not at all. */
    public long pausedMillis() {
        return node.pause().holdsMillis(call.command(), call.nowMillis());
    }

    /** Whether the call may take long and had better not run on an event loop. */
    public boolean isOffLoop() {
        return call.command().isOffLoop();
    }

    /** Runs the call that {@link #refusal()} had nothing against. */
    public Reply run() {
        Command command = call.command();
        call.session().ran(command, call.nowMillis());
        boolean again = call.session().waiting();
        Reply reply = runLocked(command);
        watch.ran(call, command, reply);
        listeners.ran(call, again);
        return reply;
    }

    private Reply runLocked(Command command) {
        if (command.firstKeyOnly()) {
            int stripe = keyStripes.of(call.word(1));
            stripes.lock(stripe);
            try {
                return runBody(command);
            } finally {
                stripes.unlock(stripe);
            }
        }
        if (command.isExclusive()) {
            return runAlone(command);
        }
        return command.keys().isEmpty() ? runBody(command) : runHolding(command);
    }

    private Reply runAlone(Command command) {
        stripes.lockEverything();
        try {
            return runBody(command);
        } finally {
            stripes.unlockEverything();
        }
    }

    private Reply runHolding(Command command) {
        int count = findStripes();
        int taken = 0;
        try {
            for (; taken < count; taken++) {
                stripes.lock(held[taken]);
            }
            return runBody(command);
        } finally {
            while (taken > 0) {
                stripes.unlock(held[--taken]);
            }
        }
    }

    /** The stripes of all keys, ascending: so that two commands never wait for each other in a circle. */
    private int findStripes() {
        KeyPositions keys = call.keyPositions();
        int count = keys.size();
        if (held.length < count || held.length > KEEP_LOCKS_MAX) {
            held = new int[Math.max(count, 16)];
        }
        for (int i = 0; i < count; i++) {
            held[i] = keyStripes.of(call.word(keys.at(i)));
        }
        Arrays.sort(held, 0, count);
        return count;
    }

    private Reply runBody(Command command) {
        Reply reply = runUnit(command);
        listeners.remember(call);
        return reply;
    }

    private Reply runUnit(Command command) {
        try {
            Reply reply = answer(command);
            if (call.hasWork()) {
                end(command);
            }
            if (reply instanceof Reply.Blocked blocked) {
                node.waiting().enter(blocked.waiter());
            }
            return reply;
        } catch (RedisError refused) {
            unit.abandon();
            return Reply.error(refused);
        } catch (StoreException failed) {
            unit.abandon();
            LOG.warn("{} failed in the store", command, failed);
            return Reply.error(Refusals.of(failed));
        } catch (RuntimeException | StackOverflowError mistake) {
            unit.abandon();
            LOG.error("{} failed", command, mistake);
            return Reply.error(Refusals.INTERNAL);
        }
    }

    /**
     * A value or a list that the heap cannot hold is this client's trouble alone: nothing of it was committed. Only where
     * the process is not told to end at such an error, as the launcher tells it; and where direct memory is used up.
     */
    private Reply answer(Command command) {
        try {
            return command.body().run(call);
        } catch (OutOfMemoryError full) {
            LOG.warn("{} needs more memory than there is", command);
            throw Refusals.NO_MEMORY;
        }
    }

    private void end(Command command) {
        if (command.writes()) {
            unit.commit();
        } else if (!unit.isEmpty()) {
            throw new IllegalStateException("a command declared as reading wrote rows: " + command);
        }
    }
}
