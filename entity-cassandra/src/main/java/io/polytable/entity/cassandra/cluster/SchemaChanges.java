package io.polytable.entity.cassandra.cluster;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The DDL statements of a session. By default the driver completes each DDL statement only after its schema debouncer
 * has been quiet for a second and the whole schema has been read again. Here the statements of a change run in order on
 * one node while these refreshes are suspended, followed by a single wait for schema agreement. Then the driver
 * refreshes its metadata in the background: it needs the replication of keyspaces to route requests, and nothing of
 * tables.
 */
final class SchemaChanges {
    /** How often a change is tried when its coordinator is lost. */
    private static final int TRIES_MAX = 3;

    /** Nodes push schema changes to each other, and announce their own by gossip. */
    private static final long AGREEMENT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CqlSession session;
    private final Duration timeout;
    private int running;

    SchemaChanges(CqlSession session, Duration timeout) {
        this.session = session;
        this.timeout = timeout;
    }

    /** Runs the statements in order. Each must be repeatable, as with IF NOT EXISTS. */
    void run(List<String> statements) {
        if (statements.isEmpty()) {
            return;
        }
        suspendRefreshes();
        try {
            repeatedly(statements);
        } finally {
            resumeRefreshes();
        }
    }

    /** If the coordinator is lost, others may not know its changes: all are repeated on another node. */
    private void repeatedly(List<String> statements) {
        for (int tries = 1; ; tries++) {
            try {
                onOneNode(statements);
                return;
            } catch (AllNodesFailedException lost) {
                if (tries == TRIES_MAX) {
                    throw lost;
                }
            }
        }
    }

    private void onOneNode(List<String> statements) {
        Node coordinator = null;
        for (String ddl : statements) {
            SimpleStatement statement = SimpleStatement.newInstance(ddl)
                    .setTimeout(timeout)
                    .setIdempotent(true)
                    .setNode(coordinator);
            coordinator = session.execute(statement).getExecutionInfo().getCoordinator();
        }
        awaitAgreement(coordinator);
    }

    /**
     * Waits until all nodes that are up have the schema of the coordinator, which is asked itself. The driver's own
     * check asks the node of its control connection: before that node has heard of the change, it finds that all agree
     * on the schema as it was.
     */
    private void awaitAgreement(@Nullable Node coordinator) {
        long start = System.nanoTime();
        while (!agrees(coordinator)) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new EntityException(
                        EntityError.STORE_FAILED,
                        "The nodes do not agree on the schema",
                        Map.of("timeout.millis", timeout.toMillis()));
            }
            LockSupport.parkNanos(AGREEMENT_POLL_NANOS);
        }
    }

    private boolean agrees(@Nullable Node coordinator) {
        Row local = ask("SELECT schema_version FROM system.local", coordinator).one();
        UUID wanted = local == null ? null : local.getUuid(0);
        for (Row peer : ask("SELECT host_id, schema_version FROM system.peers", coordinator)) {
            UUID host = peer.getUuid(0);
            Node node = host == null ? null : session.getMetadata().getNodes().get(host);
            if (node != null && node.getState() == NodeState.UP && !Objects.equals(wanted, peer.getUuid(1))) {
                return false;
            }
        }
        return true;
    }

    private ResultSet ask(String cql, @Nullable Node node) {
        return session.execute(SimpleStatement.newInstance(cql)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE)
                .setIdempotent(true)
                .setNode(node));
    }

    /** Waits until the driver's metadata are up to date. A failure is ignored, for they are refreshed again later. */
    void refresh() {
        session.refreshSchemaAsync()
                .toCompletableFuture()
                .completeOnTimeout(session.getMetadata(), timeout.toMillis(), TimeUnit.MILLISECONDS)
                .handle((metadata, failure) -> session)
                .join();
    }

    private synchronized void suspendRefreshes() {
        if (running++ == 0) {
            session.setSchemaMetadataEnabled(false);
        }
    }

    /** The driver refreshes at once when refreshes are enabled again, so that no change is missed. */
    private synchronized void resumeRefreshes() {
        if (--running == 0) {
            session.setSchemaMetadataEnabled(null);
        }
    }
}
