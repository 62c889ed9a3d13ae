package io.polytable.hbase.client;

import java.time.Duration;

/**
 * The limits on open scanners and on the size of results.
 *
 * @param scannersMax the maximum number of open scanners; each holds a snapshot of the store
 * @param scannerLease how long a scanner may stay unused
 * @param resultBytesMax the maximum size of the results of one call, whatever the client requests
 */
public record ClientLimits(int scannersMax, Duration scannerLease, long resultBytesMax) {
    public static final ClientLimits DEFAULT = new ClientLimits(128, Duration.ofSeconds(60), 64L << 20);

    /**
     * Lowers the limit on results: one call per thread collects results at a time, scanners read some results ahead,
     * and all together take at most these bytes.
     */
    public ClientLimits within(long bytes, int threads) {
        int results = threads + Scanners.READ_AHEAD_SHARE;
        return new ClientLimits(scannersMax, scannerLease, Math.min(resultBytesMax, Math.max(1, bytes / results)));
    }
}
