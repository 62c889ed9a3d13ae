package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.polytable.entity.uri.EntityUri;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A real Cassandra node in a process of its own, started once for all tests of this JVM and stopped with it. The property
 * {@code polytable.cassandra}, HOST:PORT, names a node that runs already.
 */
final class CassandraNode {
    private static final EntityUri URI = open();

    private CassandraNode() {}

    static EntityUri uri() {
        return URI;
    }

    /** As {@link #uri}, with a time-out that is longer than those of the nodes: what fails, fails there and says why. */
    static EntityUri patient(EntityUri uri) {
        return uri.withOption("timeout.millis", "90000");
    }

    /** A session beside the library's, to look at what it made. The driver's own default is two seconds for a request. */
    static CqlSession cql() {
        Duration patience = Duration.ofSeconds(90);
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(URI.hosts().get(0), URI.portOrDefault()))
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, patience)
                        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, patience)
                        .build())
                .build();
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
