package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/** A session with a cluster; each statement is prepared once. */
final class Cluster implements AutoCloseable {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration DDL_TIMEOUT = Duration.ofMinutes(2);

    private final CqlSession session;
    private final String dataCentre;
    private final ConsistencyLevel consistency;
    private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

    private Cluster(CqlSession session, String dataCentre, ConsistencyLevel consistency) {
        this.session = session;
        this.dataCentre = dataCentre;
        this.consistency = consistency;
    }

    /** Connects with the URI's hosts; its options are dc, user, password, tls and consistency. */
    static Cluster connect(EntityUri uri) {
        Map<String, String> options = uri.options();
        String dc = options.getOrDefault("dc", "datacenter1");
        ConsistencyLevel consistency = consistency(options.getOrDefault("consistency", "LOCAL_QUORUM"));
        CqlSessionBuilder builder = CqlSession.builder().withLocalDatacenter(dc).withConfigLoader(config(consistency));
        for (String host : uri.hosts()) {
            builder.addContactPoint(new InetSocketAddress(host, uri.portOrDefault()));
        }
        if (options.containsKey("user")) {
            String fromEnvironment = System.getenv().getOrDefault("POLYTABLE_CASSANDRA_PASSWORD", "");
            builder.withAuthCredentials(
                    options.getOrDefault("user", ""), options.getOrDefault("password", fromEnvironment));
        }
        if (options.getOrDefault("tls", "false").equals("true")) {
            builder.withSslContext(tls());
        }
        return new Cluster(Failures.translated(builder::build), dc, consistency);
    }

    private static DriverConfigLoader config(ConsistencyLevel consistency) {
        ProgrammaticDriverConfigLoaderBuilder builder = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, DDL_TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, DDL_TIMEOUT)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, consistency.name());
        return builder.build();
    }

    private static SSLContext tls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new EntityException(EntityError.UNREACHABLE, "This Java platform has no TLS", Map.of(), e);
        }
    }

    static ConsistencyLevel consistency(String name) {
        try {
            return DefaultConsistencyLevel.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "Not a consistency level of Cassandra", Map.of("consistency", name), e);
        }
    }

    CqlSession session() {
        return session;
    }

    String dataCentre() {
        return dataCentre;
    }

    ConsistencyLevel consistency() {
        return consistency;
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

    void define(String ddl) {
        execute(SimpleStatement.newInstance(ddl).setTimeout(DDL_TIMEOUT));
    }

    @Override
    public void close() {
        session.close();
    }
}
