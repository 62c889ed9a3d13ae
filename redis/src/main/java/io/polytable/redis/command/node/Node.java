package io.polytable.redis.command.node;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.work.BackgroundJob;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.acl.Accounts;
import io.polytable.redis.command.blocking.Waiting;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.lua.LuaLimits;
import io.polytable.redis.command.pubsub.KeyNotifications;
import io.polytable.redis.command.pubsub.PubSub;
import io.polytable.redis.command.push.PushDispatcher;
import io.polytable.redis.command.replication.Following;
import io.polytable.redis.command.replication.Replication;
import io.polytable.redis.command.replication.ReplicationCounts;
import io.polytable.redis.command.scripting.Scripts;
import io.polytable.redis.command.tracking.Tracking;
import io.polytable.redis.command.transaction.Watches;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.DataLimit;
import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.Keyspace;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The running server as its commands see it: clients, settings, statistics, blocked calls, push messages. */
public final class Node {
    /** The Redis version that this server emulates. */
    public static final String VERSION = "7.2.5";

    /** The same as a number, for scripts. */
    public static final int VERSION_NUMBER = 0x070205;

    /** The bounds of scripts, but for {@code script-memory-limit}. */
    public static final LuaLimits LUA = new LuaLimits(64L << 20, 10_000, VERSION, VERSION_NUMBER);

    private static final Reply BECAME_REPLICA = Reply.error(new RedisError(
            RedisError.Code.UNBLOCKED,
            "force unblock from blocking operation, instance state changed (master -> replica?)"));

    private final Keyspace keyspace;
    private final InstantSource clock;
    private final RedisConfig settings;
    private final long startMillis;
    private final String runId = newRunId();
    private final AnswerGate answers;
    private final Clients clients;
    private final Pause pause = new Pause();
    private final Waiting waiting;
    private final PushDispatcher post = new PushDispatcher();
    private final PubSub pubSub;
    private final Tracking tracking;
    private final Monitors monitors;
    private final Watches watches;
    private final Scripts scripts;
    private final LatencyEvents latency = new LatencyEvents();
    private final AclLog aclLog;
    private final Slowlog slowlog;
    private final Statistics statistics = new Statistics();
    private final ReplicationCounts replicationCounts = new ReplicationCounts();
    private final Users users;
    private volatile @Nullable Accounts accounts;
    private volatile @Nullable Runnable stop;
    private final Saves saves;
    private final Replication replication;
    private final Following following;

    public Node(Keyspace keyspace, RedisConfig settings, InstantSource clock) {
        this(keyspace, settings, clock, new Sessions(clock));
    }

    private Node(Keyspace keyspace, RedisConfig settings, InstantSource clock, Sessions sessions) {
        this(keyspace, settings, clock, sessions, Users.open(keyspace.store(), sessions, clock));
    }

    /**
     * @param sessions the registry of the sessions of all protocols
     * @param users the users of all protocols
     */
    public Node(Keyspace keyspace, RedisConfig settings, InstantSource clock, Sessions sessions, Users users) {
        this.users = users;
        settings.onPassword(users::setDefaultPassword);
        this.clients = new Clients(sessions);
        this.answers = new AnswerGate(keyspace.store());
        this.keyspace = keyspace;
        this.clock = clock;
        this.settings = settings;
        this.slowlog = new Slowlog(settings);
        this.aclLog = new AclLog(settings);
        this.startMillis = clock.millis();
        this.saves = new Saves(keyspace, settings, clock);
        this.replication = new Replication(keyspace, settings, clock, VERSION, replicationCounts);
        this.following = new Following(keyspace, settings, clock, replicationCounts);
        this.scripts = new Scripts(
                keyspace.memory().scriptTexts(), LUA, keyspace.memory().scripts());
        limitData();
        settings.onChange(this::limitData);
        settings.limitClients(input());
        settings.limitClients(keyspace.memory().output());
        this.pubSub = new PubSub(post, keyspace.memory().subscriptions());
        this.watches = new Watches(keyspace, input());
        this.waiting = new Waiting(input());
        waiting.listenTo(keyspace.changes(), keyspace.partitions() > 1);
        this.tracking = new Tracking(
                keyspace.changes(),
                settings,
                post,
                clients::find,
                keyspace.memory().tracking());
        this.monitors = new Monitors(post, clock);
        new KeyNotifications(pubSub, settings, keyspace.changes());
    }

    private void limitData() {
        DataLimit next = settings.dataLimit();
        if (!next.equals(data().limit())) {
            data().limit(next);
            keyspace.tables().uses().follow(next, clock.millis());
        }
    }

    /** The bytes of all keys, and their limit. */
    public DataUsage data() {
        return keyspace.tables().usage();
    }

    private static String newRunId() {
        byte[] random = new byte[20];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    public InstantSource clock() {
        return clock;
    }

    public RedisConfig settings() {
        return settings;
    }

    public long startMillis() {
        return startMillis;
    }

    public String runId() {
        return runId;
    }

    /** Releases replies once what they saw is durable and the log's owner is current. */
    public AnswerGate answers() {
        return answers;
    }

    public Clients clients() {
        return clients;
    }

    public Pause pause() {
        return pause;
    }

    /** The budget for clients' input, and for the keys that they watch or wait for. */
    public Budget input() {
        return keyspace.memory().input();
    }

    public Waiting waiting() {
        return waiting;
    }

    public Watches watches() {
        return watches;
    }

    public PubSub pubSub() {
        return pubSub;
    }

    public Tracking tracking() {
        return tracking;
    }

    public Monitors monitors() {
        return monitors;
    }

    /** Ends all push messages to a session that disconnects or resets. Called on its own loop. */
    public void stopPushes(Session session) {
        pubSub.leave(session);
        tracking.disable(session);
        monitors.remove(session);
    }

    public Scripts scripts() {
        return scripts;
    }

    public LatencyEvents latency() {
        return latency;
    }

    public AclLog aclLog() {
        return aclLog;
    }

    public Users users() {
        return users;
    }

    /** Compiles what users may do with the commands of this table; later calls do nothing. */
    public synchronized void declare(CommandTable table) {
        if (accounts == null) {
            accounts = new Accounts(users, table, settings::everyChannelByDefault, pubSub);
        }
    }

    public Accounts accounts() {
        Accounts compiled = accounts;
        if (compiled == null) {
            throw new IllegalStateException("the commands are not declared");
        }
        return compiled;
    }

    /** Reports a call that has run to the slow requests of all protocols. */
    public void ran(Call call, long nanos) {
        Session session = call.session();
        session.registered().ran(session.user(), nanos, () -> Monitors.words(call));
    }

    public Slowlog slowlog() {
        return slowlog;
    }

    public Statistics statistics() {
        return statistics;
    }

    public ReplicationCounts replicationCounts() {
        return replicationCounts;
    }

    /** Samples what rates are computed from; called about once per second. */
    public void sample() {
        long nowMillis = clock.millis();
        statistics.sample(nowMillis);
        replicationCounts.sample(nowMillis);
        saves.startIfDue();
    }

    /** Resets the counters of INFO. */
    public void resetStatistics() {
        statistics.reset();
        replicationCounts.reset();
        aclLog.resetCounts();
        clients.resetCounters();
        keyspace.lookups().reset();
    }

    /** The replicas of this server. */
    public Replication replication() {
        return replication;
    }

    /** This server as the replica of another. */
    public Following following() {
        return following;
    }

    /** Whether this is a replica without a connection to its primary, which must not serve old data. */
    public boolean isStale() {
        return following.isFollowing() && !settings.servesStaleData() && following.state() != Following.State.CONNECTED;
    }

    /** Ends all blocked calls, since this server is a replica now. */
    public void disconnectBlocked() {
        for (Session session : clients.all()) {
            if (waiting.interrupt(session, BECAME_REPLICA)) {
                session.peer().closeAfterReplies();
            }
        }
    }

    /** SAVE and BGSAVE. */
    public Saves saves() {
        return saves;
    }

    /** Sets the action of SHUTDOWN, which runs on a thread of its own. */
    public void onStop(Runnable action) {
        stop = action;
    }

    /** Starts the shutdown; false when no action was set. */
    public boolean stop() {
        Runnable action = stop;
        if (action == null) {
            return false;
        }
        // Not on an event loop: closing the server waits for the loops.
        BackgroundJob unused = BackgroundJob.started("redis-shutdown", action);
        return true;
    }
}
