package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.uri.CallTimeout;
import io.polytable.entity.uri.EntityUri;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A session with a cluster; each statement is prepared once. */
final class Cluster implements AutoCloseable {
    private static final Duration DDL_TIMEOUT = Duration.ofMinutes(2);
    private static final int IN_FLIGHT_MAX = 900;
    private static final int QUEUED_MAX = 100_000;

    private final CqlSession session;
    private final String dataCentre;
    private final ConsistencyLevel consistency;
    private final boolean authenticated;
    private final Duration timeout;
    private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

    private Cluster(
            CqlSession session,
            String dataCentre,
            ConsistencyLevel consistency,
            boolean authenticated,
            Duration timeout) {
        this.session = session;
        this.timeout = timeout;
        this.dataCentre = dataCentre;
        this.consistency = consistency;
        this.authenticated = authenticated;
    }

    /** Connects with the URI's hosts; its options are dc, user, password, tls, consistency and timeout.millis. */
    static Cluster connect(EntityUri uri) {
        Map<String, String> options = uri.options();
        String dc = options.getOrDefault("dc", "datacenter1");
        ConsistencyLevel consistency = Levels.parse(options.getOrDefault("consistency", "LOCAL_QUORUM"));
        CqlSessionBuilder builder =
                CqlSession.builder().withLocalDatacenter(dc).withConfigLoader(config(consistency, CallTimeout.of(uri)));
        for (String host : uri.hosts()) {
            builder.addContactPoint(new InetSocketAddress(host, uri.portOrDefault()));
        }
        if (options.containsKey("user")) {
            String fromEnvironment = System.getenv().getOrDefault("POLYTABLE_CASSANDRA_PASSWORD", "");
            builder.withAuthCredentials(
                    options.getOrDefault("user", ""), options.getOrDefault("password", fromEnvironment));
        }
        if (Tls.isWanted(options)) {
            builder.withSslEngineFactory(Tls.of(options));
        }
        return new Cluster(
                Failures.translated(builder::build), dc, consistency, options.containsKey("user"), CallTimeout.of(uri));
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
                // A connection takes 1024 requests: what many threads ask for at once beyond that waits here.
                .withString(DefaultDriverOption.REQUEST_THROTTLER_CLASS, "ConcurrencyLimitingRequestThrottler")
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_CONCURRENT_REQUESTS, IN_FLIGHT_MAX)
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, QUEUED_MAX)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, consistency.name());
        return builder.build();
    }

    CqlSession session() {
        return session;
    }

    /** Whether the session has a user, so that Cassandra checks what it does. */
    boolean isAuthenticated() {
        return authenticated;
    }

    String dataCentre() {
        return dataCentre;
    }

    ConsistencyLevel consistency() {
        return consistency;
    }

    /** Refuses a level that can never be met in a keyspace. */
    void checkLevel(String keyspace, ConsistencyLevel level) {
        // The levels of most calls are spared the look into the driver's metadata.
        if (Levels.replicasNeeded(level) > 1) {
            session.getMetadata()
                    .getKeyspace(CqlIdentifier.fromInternal(keyspace))
                    .ifPresent(found -> Levels.check(level, found.getReplication()));
        }
    }

    /** Not to be called on the driver's own threads, which cannot wait. */
    PreparedStatement prepare(String cql) {
        return prepared.computeIfAbsent(cql, text -> Failures.translated(() -> session.prepare(text)));
    }

    ResultSet execute(Statement<?> statement) {
        return Failures.translated(() -> session.execute(statement));
    }

    CompletableFuture<AsyncResultSet> executeAsync(Statement<?> statement) {
        return Failures.translated(session.executeAsync(statement));
    }

    /** A statement that must not be made twice: a conditional batch, or an increment. */
    CompletableFuture<AsyncResultSet> executeOnce(Statement<?> statement) {
        return Failures.once(session.executeAsync(statement));
    }

    /** How long a call may take. */
    Duration timeout() {
        return timeout;
    }

    void define(String ddl) {
        execute(SimpleStatement.newInstance(ddl).setTimeout(DDL_TIMEOUT));
    }

    @Override
    public void close() {
        session.close();
    }
}
