package io.polytable.hbase.client;

import io.polytable.cells.read.CellScanner;
import io.polytable.hbase.catalog.Region;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open scanners of all clients, each with a lease that every use renews. Their number is limited, since each holds
 * a snapshot; beyond it clients are asked to retry.
 */
public final class Scanners implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scanners.class);

    /** The read-ahead budget of all scanners, in multiples of one call's result limit. */
    static final int READ_AHEAD_SHARE = 4;

    private final ClientLimits limits;
    private final Semaphore room;

    /**
     * Limits scanners of {@code hbase:meta} separately, since they hold no snapshot: clients with many scanners must
     * not keep others from locating regions.
     */
    private final Semaphore viewRoom;

    private final ReadAhead ahead;
    private final Map<Long, OpenScanner> open = new ConcurrentHashMap<>();
    // Starts at random, so that an id from before a restart does not match a scanner of this process.
    private final AtomicLong lastId = new AtomicLong(ThreadLocalRandom.current().nextLong(1L << 62));

    public Scanners(ClientLimits limits) {
        this.limits = limits;
        room = new Semaphore(limits.scannersMax());
        viewRoom = new Semaphore(limits.scannersMax());
        ahead = new ReadAhead(READ_AHEAD_SHARE * limits.resultBytesMax());
    }

    private Semaphore roomFor(Region region) {
        return region.isView() ? viewRoom : room;
    }

    OpenScanner open(Region region, ClientProtos.Scan scan, String owner, Supplier<CellScanner> cells)
            throws RegionTooBusyException {
        if (!roomFor(region).tryAcquire()) {
            throw new RegionTooBusyException(
                    "There are " + limits.scannersMax() + " open scanners, which is the most that may be");
        }
        try {
            OpenScanner scanner = new OpenScanner(lastId.incrementAndGet(), region, scan, owner, cells.get());
            renew(scanner);
            open.put(scanner.id(), scanner);
            return scanner;
        } catch (RuntimeException | Error refused) {
            roomFor(region).release();
            throw refused;
        }
    }

    ReadAhead ahead() {
        return ahead;
    }

    Optional<OpenScanner> find(long id) {
        return Optional.ofNullable(open.get(id));
    }

    void renew(OpenScanner scanner) {
        scanner.leasedUntil(System.nanoTime() + limits.scannerLease().toNanos());
    }

    /** The caller holds the scanner's lock. */
    void close(OpenScanner scanner) {
        if (open.remove(scanner.id()) != null) {
            try {
                scanner.close();
            } finally {
                roomFor(scanner.region()).release();
            }
        }
    }

    public int count() {
        return open.size();
    }

    /** Closes the scanners whose lease expired; called periodically. */
    public void closeExpired() {
        long now = System.nanoTime();
        open.values().forEach(scanner -> closeIfExpired(scanner, now));
    }

    private void closeIfExpired(OpenScanner scanner, long now) {
        if (!scanner.isExpired(now) || !scanner.lock().tryLock()) {
            return;
        }
        try {
            if (scanner.isExpired(now)) {
                close(scanner);
            }
        } catch (RuntimeException failed) {
            // An exception would cancel the timer, and no lease would expire any more.
            LOG.warn("An expired scanner failed to close", failed);
        } finally {
            scanner.lock().unlock();
        }
    }

    @Override
    public void close() {
        for (OpenScanner scanner : open.values()) {
            scanner.lock().lock();
            try {
                close(scanner);
            } finally {
                scanner.lock().unlock();
            }
        }
    }
}
