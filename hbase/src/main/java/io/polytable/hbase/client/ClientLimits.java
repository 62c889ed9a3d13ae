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

    /** The share of the heap that the results of all calls at once may take. */
    private static final int HEAP_SHARE = 4;

    /** As many calls as there are threads gather their results at a time: together they must leave the heap its room. */
    public ClientLimits within(long heapBytes, int threads) {
        return new ClientLimits(
                scannersMax, scannerLease, Math.min(resultBytesMax, Math.max(1, heapBytes / HEAP_SHARE / threads)));
    }
}
