package io.polytable.hbase.client;

import java.time.Duration;

/**
 * The bounds of what clients may hold and be answered.
 *
 * @param scannersMax scanners open at once; each holds a snapshot of the store
 * @param scannerLease how long a scanner may be unused
 * @param resultBytesMax what the results of one call take at most, whatever the client asks for
 */
public record ClientLimits(int scannersMax, Duration scannerLease, long resultBytesMax) {
    public static final ClientLimits DEFAULT = new ClientLimits(128, Duration.ofSeconds(60), 64L << 20);
}
