package io.polytable.redis;

import io.polytable.frontend.Frontend;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.net.Transport;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.view.View;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.acl.AclFile;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Clients;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Statistics;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.upkeep.Housekeeping;
import io.polytable.redis.model.view.ImportLimits;
import io.polytable.redis.model.view.RedisViews;
import io.polytable.redis.model.view.ViewNames;
import io.polytable.redis.move.LiveImport;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.redis.wire.RedisServer;
import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A running Redis on a store. Closing it leaves the store open. */
public final class RedisFrontend implements Frontend {
    private static final String NAME = "redis";

    private final Keyspace keyspace;
    private final RedisConfig settings;
    private final Node node;
    private final CommandTable table;
    private final RedisServer server;
    private final Housekeeping housekeeping;
    private final ViewNames names;

    private RedisFrontend(
            TableStore store,
            RedisOptions options,
            InstantSource clock,
            FeedFollower follower,
            Users users,
            Sessions sessions,
            Transport transport) {
        settings = new RedisConfig(options.settings());
        names = names(options.settings());
        options.descriptions().forEach(settings::describe);
        keyspace = Keyspace.open(store, options.shards(), options.memory().get());
        keyspace.limitDatabases(options.settings().get(RedisSettings.DATABASES));
        node = new Node(keyspace, settings, clock, sessions, users);
        table = CommandTable.of(Families.all(node));
        node.declare(table);
        server = new RedisServer(options, node, table, transport);
        housekeeping = Housekeeping.start(keyspace, clock, follower);
    }

    /**
     * Opens the keyspace and listens.
     *
     * @param follower who must have seen what was removed before its rows go
     * @param users the users of all protocols; {@code requirepass} of the options is the default user's password
     * @param sessions the registry of the sessions of all protocols
     * @param transport what lies between a connection's socket and the protocol
     * @throws AclFile.InvalidAclFile when the settings name an ACL file that cannot be used
     * @throws CannotListenException when the address cannot be bound
     */
    public static RedisFrontend start(
            TableStore store,
            RedisOptions options,
            InstantSource clock,
            FeedFollower follower,
            Users users,
            Sessions sessions,
            Transport transport) {
        RedisFrontend started = new RedisFrontend(store, options, clock, follower, users, sessions, transport);
        try {
            started.loadUsers();
            started.follow();
            started.server.start();
        } catch (CannotListenException | AclFile.InvalidAclFile refused) {
            started.close();
            throw refused;
        }
        return started;
    }

    private void follow() {
        RdbFiles files = rdbFiles();
        Dispatcher dispatcher = new Dispatcher(node, table, node.statistics().newTally(table));
        node.following().start(dispatcher::run, files::load, node::disconnectBlocked);
    }

    private void loadUsers() {
        String file = node.settings().aclFile();
        if (!file.isEmpty()) {
            node.users().replaceAll(Actor.SERVER, new AclFile(Path.of(file)).read(node.accounts()), session -> true);
        }
    }

    /** Starts without a server, on a copy of the options' settings. */
    public static RedisFrontend start(TableStore store, RedisOptions options) {
        InstantSource clock = InstantSource.system();
        Sessions sessions = new Sessions(clock);
        Users users = Users.open(store, sessions, clock);
        return start(store, options.withOwnSettings(), clock, FeedFollower.NONE, users, sessions, Transport.PLAIN);
    }

    private static ViewNames names(Settings settings) {
        Optional<String> members = settings.get(RedisSettings.ZSET_INDEX_ENABLED)
                ? Optional.of(settings.get(RedisSettings.ZSET_TABLE))
                : Optional.empty();
        return new ViewNames(ViewNames.parse(settings.get(RedisSettings.TABLE)), members.map(ViewNames::parse));
    }

    /** The port that is listened on. */
    public int port() {
        return server.port();
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Port> ports() {
        return List.of(new Port(NAME, port()));
    }

    @Override
    public void sample(MetricSink sink) {
        RedisMetrics.sample(this, sink);
    }

    /** The tables in which other frontends see the keys; what is imported into them is encoded as clients' writes are. */
    @Override
    public List<View> views() {
        ImportLimits limits = new ImportLimits(node.settings()::packing, node.settings()::streamNodes);
        return RedisViews.of(keyspace, node.clock(), names, limits);
    }

    /** Imports and exports RDB files while clients are served. */
    public RdbFiles rdbFiles() {
        return new RdbFiles(keyspace, node.settings(), node.scripts().functions(), node.clock());
    }

    /** Moves the keys of a running Redis here. */
    public LiveImport liveImport() {
        return new LiveImport(
                keyspace, node.settings(), node.following(), Families.restores(node.settings()), node.clock());
    }

    /** All commands, to go with the statistics about them. */
    public CommandTable commands() {
        return table;
    }

    public Statistics statistics() {
        return node.statistics();
    }

    public Clients clients() {
        return node.clients();
    }

    /** What SHUTDOWN does, on a thread of its own: whoever runs the frontend closes it there. */
    public void onShutdown(Runnable action) {
        node.onStop(action);
    }

    @Override
    public void close() {
        node.following().close();
        server.close();
        node.replication().close();
        node.saves().close();
        housekeeping.close();
        keyspace.close();
        settings.close();
    }
}
