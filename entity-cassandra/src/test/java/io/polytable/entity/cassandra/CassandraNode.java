package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.polytable.entity.Entities;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.uri.EntityUri;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A real Cassandra node in a process of its own, started once for all tests of this JVM and stopped with it. The property
 * {@code polytable.cassandra}, HOST:PORT, names a node that runs already.
 */
final class CassandraNode {
    private static final EntityUri URI = open();
    private static final CqlSession CQL =
            session(URI.hosts().get(0), URI.portOrDefault()).build();

    /** Keeps the library's session open: each test class would otherwise connect several times. */
    private static final EntityStore STORE = Entities.connect(leased(URI));

    private CassandraNode() {}

    static EntityUri uri() {
        return URI;
    }

    /** An instance, with a lease that keeps changes of layouts short. All these share one session. */
    static EntityUri instance(String name) {
        assert STORE != null;
        return leased(URI.withInstance(name));
    }

    private static EntityUri leased(EntityUri uri) {
        return uri.withOption("layout.lease.millis", "100");
    }

    /** As {@link #uri}, with a time-out that is longer than those of the nodes: what fails, fails there and says why. */
    static EntityUri patient(EntityUri uri) {
        return uri.withOption("timeout.millis", "90000");
    }

    /** A session beside the library's, to look at what it made. It stays open. */
    static CqlSession cql() {
        return CQL;
    }

    /** A session that waits longer than the two seconds of the driver's default, and closes without delay. */
    static CqlSessionBuilder session(String host, int port) {
        Duration patience = Duration.ofSeconds(90);
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(host, port))
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, patience)
                        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                        .build());
    }

    private static EntityUri open() {
        String running = System.getProperty("polytable.cassandra", "");
        if (!running.isEmpty()) {
            return patient(EntityUri.parse("polytable-cassandra://" + running));
        }
        NodeProcess node = NodeProcess.start(NodeProcess.Place.alone(NodeProcess.OPEN_TO_ALL));
        return patient(EntityUri.parse("polytable-cassandra://127.0.0.1:" + node.port()));
    }
}
