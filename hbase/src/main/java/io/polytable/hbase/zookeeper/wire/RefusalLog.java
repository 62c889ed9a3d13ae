package io.polytable.hbase.zookeeper.wire;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections that are closed for the client's fault: one line per minute, with the number of those in between. A
 * port scanner must not fill the disk.
 */
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(DiscoveryServer.class);
    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private long nextNanos;
    private long unreported;

    /** @param nanos the time, as {@link System#nanoTime} */
    RefusalLog(LongSupplier nanos) {
        this.nanos = nanos;
        nextNanos = nanos.getAsLong();
    }

    synchronized void closed(@Nullable SocketAddress client, String reason) {
        long now = nanos.getAsLong();
        if (now - nextNanos < 0) {
            unreported++;
            return;
        }
        LOG.warn(
                "Closed the ZooKeeper connection of {}: {} ({} others since the last report)",
                client,
                reason,
                unreported);
        nextNanos = now + PERIOD_NANOS;
        unreported = 0;
    }
}
