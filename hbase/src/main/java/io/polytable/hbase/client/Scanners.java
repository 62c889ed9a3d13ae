package io.polytable.hbase.client;

import io.polytable.cells.store.CellScanner;
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
 * The scanners that clients have open, each under a lease that every use renews. There is a bound on them, since each
 * holds a snapshot; a client beyond it is told to try again.
 */
public final class Scanners implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scanners.class);

    /** What is read ahead for all scanners takes about as much as the results of so many calls. */
    private static final int READ_AHEAD_SHARE = 4;

    private final ClientLimits limits;
    private final Semaphore room;

    /** For scans of {@code hbase:meta}, which hold no snapshot: clients that scan much must not keep others from finding their way. */
    private final Semaphore viewRoom;

    private final ReadAhead ahead;
    private final Map<Long, OpenScanner> open = new ConcurrentHashMap<>();
    // Begins anywhere, so that a number from before a restart is not taken for one of ours.
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

    OpenScanner open(Region region, ClientProtos.Scan scan, Supplier<CellScanner> cells) throws RegionTooBusyException {
        if (!roomFor(region).tryAcquire()) {
            throw new RegionTooBusyException(
                    "There are " + limits.scannersMax() + " open scanners, which is the most that may be");
        }
        try {
            OpenScanner scanner = new OpenScanner(lastId.incrementAndGet(), region, scan, cells.get());
            renew(scanner);
            open.put(scanner.id(), scanner);
            return scanner;
        } catch (RuntimeException refused) {
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

    /** Under the scanner's lock. */
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

    /** Closes what nobody used for a lease's time; called now and then. */
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
            // Thrown on, it would end the timer, and with it the expiry of all leases.
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
