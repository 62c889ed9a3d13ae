package io.polytable.entity.cassandra.cluster;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The DDL statements of a session. By default the driver completes each DDL statement only after its schema debouncer
 * has been quiet for a second and the whole schema has been read again. Here the statements of a change run in order on
 * one node while these refreshes are suspended, followed by a single wait for schema agreement. Then the driver
 * refreshes its metadata in the background: it needs the replication of keyspaces to route requests, and nothing of
 * tables.
 */
final class SchemaChanges {
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
            // The coordinator of one statement knows its change; other nodes may not know it yet.
            Node coordinator = null;
            for (String ddl : statements) {
                coordinator = execute(SimpleStatement.newInstance(ddl).setTimeout(timeout), coordinator);
            }
            awaitAgreement();
        } finally {
            resumeRefreshes();
        }
    }

    private @Nullable Node execute(SimpleStatement statement, @Nullable Node coordinator) {
        if (coordinator != null) {
            try {
                session.execute(statement.setNode(coordinator));
                return coordinator;
            } catch (AllNodesFailedException lost) {
                // The driver tries no other node for a statement with a node of its own.
                awaitAgreement();
            }
        }
        return session.execute(statement).getExecutionInfo().getCoordinator();
    }

    private void awaitAgreement() {
        if (!session.checkSchemaAgreement()) {
            throw new EntityException(
                    EntityError.STORE_FAILED,
                    "The nodes do not agree on the schema",
                    Map.of("timeout.millis", timeout.toMillis()));
        }
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
