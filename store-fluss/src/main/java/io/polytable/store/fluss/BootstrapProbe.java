package io.polytable.store.fluss;

import org.apache.fluss.client.metadata.MetadataUpdater;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metrics.registry.MetricRegistry;
import org.apache.fluss.rpc.RpcClient;
import org.apache.fluss.rpc.metrics.ClientMetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the bootstrap servers for the cluster before a connection is opened. The client of 0.9.1 leaves the threads and
 * selectors of its network layer behind when nobody answers it; those of the probe are closed in any case, so a server
 * that tries to reconnect through a long outage does not run out of them.
 */
final class BootstrapProbe {
    private static final Logger LOG = LoggerFactory.getLogger(BootstrapProbe.class);

    private BootstrapProbe() {}

    /** @throws RuntimeException of the client, if no server answers */
    static void run(Configuration configuration) {
        MetricRegistry metrics = MetricRegistry.create(configuration, null);
        RpcClient client = RpcClient.create(configuration, new ClientMetricGroup(metrics, "probe"), false);
        try {
            MetadataUpdater unusedCluster = new MetadataUpdater(configuration, client);
        } finally {
            // Closing waits for a quiet period of seconds that concerns nobody.
            InBackground.run("polytable-fluss-close", () -> close(client, metrics));
        }
    }

    private static void close(RpcClient client, MetricRegistry metrics) {
        try {
            client.close();
            metrics.closeAsync().get();
        } catch (Exception e) {
            LOG.warn("A probe of Fluss did not close as it should", e);
        }
    }
}
