package io.polytable.entity.cassandra;

import io.polytable.entity.uri.EntityUri;

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

    private static EntityUri open() {
        String running = System.getProperty("polytable.cassandra", "");
        if (!running.isEmpty()) {
            return EntityUri.parse("polytable-cassandra://" + running);
        }
        NodeProcess node = NodeProcess.start(NodeProcess.Place.alone(NodeProcess.OPEN_TO_ALL));
        return EntityUri.parse("polytable-cassandra://127.0.0.1:" + node.port());
    }
}
