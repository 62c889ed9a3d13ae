package io.polytable.entity.cassandra.cluster;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.CallTimeout;
import io.polytable.entity.uri.EntityUri;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A session with a cluster; each statement is prepared once. */
public final class Cluster implements AutoCloseable {
    private static final Duration DDL_TIMEOUT = Duration.ofMinutes(2);

    private static final String PERMISSIONS = "permissions";
    private static final int IN_FLIGHT_MAX = 900;
    private static final int QUEUED_MAX = 100_000;

    /** From October 1582, where time-based UUIDs begin, to 1970. */
    private static final long UUID_EPOCH_MICROS = 12_219_292_800_000_000L;

    private final CqlSession session;
    private final String dataCentre;
    private final ConsistencyLevel consistency;
    private final boolean authenticated;
    private final Duration timeout;
    private final WriteClock clock;
    private final SchemaChanges schemaChanges;
    private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

    private Cluster(CqlSession session, EntityUri uri, ConsistencyLevel consistency, WriteClock clock) {
        this.session = session;
        this.consistency = consistency;
        this.clock = clock;
        schemaChanges = new SchemaChanges(session, DDL_TIMEOUT);
        timeout = CallTimeout.of(uri);
        dataCentre = dataCentre(uri);
        authenticated = uri.options().containsKey("user");
    }

    private static String dataCentre(EntityUri uri) {
        return uri.options().getOrDefault("dc", "datacenter1");
    }

    /**
     * The clock of the node that answers. Time-based UUIDs have a higher resolution than Cassandra's other time
     * functions.
     */
    private static long nodeMicros(CqlSession session) {
        SimpleStatement ask = SimpleStatement.newInstance("SELECT now() FROM system.local")
                .setIdempotent(true)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE);
        Row row = Failures.translated(() -> session.execute(ask)).one();
        UUID now = row == null ? null : row.getUuid(0);
        if (now == null) {
            throw new EntityException(EntityError.STORE_FAILED, "A node does not report its time");
        }
        return now.timestamp() / 10 - UUID_EPOCH_MICROS;
    }

    /** Connects with the URI's hosts; its options are dc, user, password, tls, consistency and timeout.millis. */
    public static Cluster connect(EntityUri uri) {
        return connect(uri, InstantSource.system());
    }

    /**
     * As {@link #connect(EntityUri)}, with another clock.
     *
     * @param source the program's clock, which may be wrong
     */
    public static Cluster connect(EntityUri uri, InstantSource source) {
        Map<String, String> options = uri.options();
        ConsistencyLevel consistency = Levels.parse(options.getOrDefault("consistency", "LOCAL_QUORUM"));
        CqlSessionBuilder builder = CqlSession.builder()
                .withLocalDatacenter(dataCentre(uri))
                .withConfigLoader(config(consistency, CallTimeout.of(uri)));
        for (String host : uri.hosts()) {
            builder.addContactPoint(new InetSocketAddress(host, uri.portOrDefault()));
        }
        if (options.containsKey("user")) {
            String fromEnvironment = System.getenv().getOrDefault("POLYTABLE_CASSANDRA_PASSWORD", "");
            builder.withAuthCredentials(
                    options.getOrDefault("user", ""), options.getOrDefault("password", fromEnvironment));
        }
        if (Tls.isWanted(uri)) {
            builder.withSslEngineFactory(Tls.of(uri));
        }
        CqlSession session = Failures.translated(builder::build);
        try {
            return new Cluster(session, uri, consistency, WriteClock.following(source, () -> nodeMicros(session)));
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private static DriverConfigLoader config(ConsistencyLevel consistency, Duration timeout) {
        ProgrammaticDriverConfigLoaderBuilder builder = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, DDL_TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, DDL_TIMEOUT)
                // Schema changes of other applications on the cluster are of no interest.
                .withStringList(
                        DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES,
                        List.of("/^" + Names.KEYSPACE_PREFIX + ".*/"))
                // No task follows the close of a session: its default quiet period would delay each close by two
                // seconds.
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                // A connection takes 1024 requests in flight: further requests wait here.
                .withString(DefaultDriverOption.REQUEST_THROTTLER_CLASS, "ConcurrencyLimitingRequestThrottler")
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_CONCURRENT_REQUESTS, IN_FLIGHT_MAX)
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, QUEUED_MAX)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, consistency.name())
                // Cassandra warns of each permission that is revoked and was not granted.
                .startProfile(PERMISSIONS)
                .withBoolean(DefaultDriverOption.REQUEST_LOG_WARNINGS, false)
                .endProfile();
        return builder.build();
    }

    public CqlSession session() {
        return session;
    }

    /** Whether the session is authenticated, so that Cassandra checks permissions. */
    public boolean isAuthenticated() {
        return authenticated;
    }

    public String dataCentre() {
        return dataCentre;
    }

    public WriteClock clock() {
        return clock;
    }

    public ConsistencyLevel consistency() {
        return consistency;
    }

    /** Refuses a level that can never be met in a keyspace. */
    public void checkLevel(String keyspace, ConsistencyLevel level) {
        // Common levels skip the lookup in the driver's metadata.
        if (Levels.replicasNeeded(level) > 1) {
            session.getMetadata()
                    .getKeyspace(CqlIdentifier.fromInternal(keyspace))
                    .ifPresent(found -> Levels.check(level, found.getReplication()));
        }
    }

    /** Must not be called on the driver's own threads, which must not block. */
    public PreparedStatement prepare(String cql) {
        return prepared.computeIfAbsent(cql, text -> Failures.translated(() -> session.prepare(text)));
    }

    public ResultSet execute(Statement<?> statement) {
        return Failures.translated(() -> session.execute(statement));
    }

    public CompletableFuture<AsyncResultSet> executeAsync(Statement<?> statement) {
        return Failures.translated(session.executeAsync(statement));
    }

    /** A statement that is not idempotent: a conditional batch, or an increment. */
    public CompletableFuture<AsyncResultSet> executeOnce(Statement<?> statement) {
        return Failures.once(session.executeAsync(statement));
    }

    /** How long a call may take. */
    public Duration timeout() {
        return timeout;
    }

    /** Runs DDL statements in order; each must be repeatable. All nodes know the changes when it returns. */
    public void define(List<String> statements) {
        Failures.translated(() -> {
            schemaChanges.run(statements);
            return statements;
        });
    }

    /** As {@link #define}, for statements that create a keyspace: {@link #checkLevel} must know its replication. */
    public void defineKeyspace(List<String> statements) {
        define(statements);
        schemaChanges.refresh();
    }

    /** Runs a statement that changes roles or permissions, which are no part of the schema. */
    public void permit(String statement) {
        execute(SimpleStatement.newInstance(statement).setTimeout(DDL_TIMEOUT).setExecutionProfileName(PERMISSIONS));
    }

    @Override
    public void close() {
        session.close();
    }
}
