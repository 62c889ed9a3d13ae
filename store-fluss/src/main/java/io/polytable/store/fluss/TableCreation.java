package io.polytable.store.fluss;

import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.metadata.MetadataUpdater;
import org.apache.fluss.cluster.BucketLocation;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.exception.TableAlreadyExistException;
import org.apache.fluss.metadata.PhysicalTablePath;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a table, and once more if Fluss lost it. The coordinator of 0.9.1 writes a table to ZooKeeper in two steps,
 * and starts it when it is notified of the second. If it reads the result of the first only after the second, it is
 * notified once, takes that for the first step, and the table never gets a leader (apache/fluss#2710).
 */
final class TableCreation {
    private static final Logger LOG = LoggerFactory.getLogger(TableCreation.class);
    private static final Duration ASK_AGAIN = Duration.ofMillis(100);
    /** The first wait is this part of the time for an answer; each further wait is twice as long. */
    private static final int FIRST_WAIT_PART = 8;

    /** A table as the cluster knows it. */
    interface Target {
        /** Returns false if the table exists already. */
        boolean create();

        /**
         * Whether any bucket has a leader now.
         *
         * @throws FlussRuntimeException if that could not be found out
         */
        boolean hasLeader();

        void drop();
    }

    private final Target target;
    private final Duration answerMax;

    TableCreation(Target target, Duration answerMax) {
        this.target = target;
        this.answerMax = answerMax;
    }

    /**
     * Creates the table unless it exists. Drops only what it created itself and what never had a leader, so that nobody
     * can have written to it. The last attempt is left as it is, for the caller to wait for: a slow cluster may need it.
     */
    void run() {
        Duration wait = answerMax.dividedBy(FIRST_WAIT_PART);
        while (target.create() && wait.compareTo(answerMax) < 0 && staysWithoutLeader(wait)) {
            LOG.warn("A new table has no leader after {}; it is created again: {}", wait, target);
            target.drop();
            wait = wait.multipliedBy(2);
        }
    }

    private boolean staysWithoutLeader(Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        boolean without = false;
        do {
            try {
                if (target.hasLeader()) {
                    return false;
                }
                without = true;
            } catch (FlussRuntimeException e) {
                LOG.debug("The leader of a new table is not known", e);
                without = false;
            }
            LockSupport.parkNanos(ASK_AGAIN.toNanos());
        } while (System.nanoTime() < deadline && !Thread.currentThread().isInterrupted());
        return without && !Thread.currentThread().isInterrupted();
    }

    /** A table in a cluster. */
    record InCluster(FlussCluster cluster, FlussConnection connection, TablePath path, TableDescriptor descriptor)
            implements Target {
        @Override
        public boolean create() {
            try {
                cluster.await(connection.getAdmin().createTable(path, descriptor, false));
                return true;
            } catch (StoreException e) {
                if (e.getCause() instanceof TableAlreadyExistException) {
                    return false;
                }
                throw e;
            }
        }

        @Override
        public boolean hasLeader() {
            MetadataUpdater metadata = connection.getMetadataUpdater();
            PhysicalTablePath whole = PhysicalTablePath.of(path);
            // Without this, an update that fails leaves what was known before.
            metadata.invalidPhysicalTableBucketMeta(Set.of(whole));
            metadata.updateTableOrPartitionMetadata(path, null);
            // A table that was never started has no buckets here, not buckets without a leader.
            List<BucketLocation> buckets =
                    metadata.getCluster().getBucketLocationsByPath().get(whole);
            if (buckets == null) {
                throw new FlussRuntimeException("No server knows the leaders of the table " + path);
            }
            return buckets.stream().anyMatch(bucket -> bucket.getLeader() != null);
        }

        @Override
        public void drop() {
            cluster.await(connection.getAdmin().dropTable(path, true));
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }
}
