package io.polytable.store.log.file;

import io.polytable.store.log.LogProgress;
import io.polytable.store.log.disk.LogFiles;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases whole segments that are no longer needed: below what the engine released and what is synced, not held by a
 * backup, and beyond the retention for readers. A reader still in such a segment learns that its position expired.
 */
final class Retirement {
    private static final Logger LOG = LoggerFactory.getLogger(Retirement.class);

    private final LogFiles files;
    private final FileLogOptions options;
    private final ControlFile control;
    private final SegmentChain chain;
    private final LogProgress progress;
    private final ArrayDeque<String> spares = new ArrayDeque<>();
    private final AtomicInteger holds = new AtomicInteger();
    private volatile long releasedBelow;

    Retirement(LogFiles files, FileLogOptions options, ControlFile control, SegmentChain chain, LogProgress progress) {
        this.files = files;
        this.options = options;
        this.control = control;
        this.chain = chain;
        this.progress = progress;
    }

    /** Released files for recycling; guarded by the supply's lock. */
    ArrayDeque<String> spares() {
        return spares;
    }

    AtomicInteger holds() {
        return holds;
    }

    synchronized void release(long below) {
        releasedBelow = Math.max(releasedBelow, below);
    }

    /** Releases what can be released now. Under the supply's lock. */
    void run() throws IOException {
        chain.sealedBy(options.clock().millis());
        while (mayGo(chain.oldest()) && retire(chain.oldest())) {
            LOG.debug(
                    "A segment of the log was released; the oldest is now {}",
                    chain.oldest().name());
        }
    }

    private boolean mayGo(Segment oldest) {
        return chain.size() > 1
                && holds.get() == 0
                && oldest.last() < releasedBelow
                && oldest.last() <= progress.synced()
                && chain.bytesSince(oldest.last() + 1) >= options.retainBytes()
                && options.clock().millis() - oldest.sealedMillis()
                        >= options.retainTime().toMillis();
    }

    private boolean retire(Segment oldest) throws IOException {
        // The control file first: a segment that it lists must never be missing.
        if (control.state().oldest() == oldest.id()) {
            control.write(control.state().withOldest(oldest.id() + 1, oldest.last() + 1, oldest.ticket()));
        }
        if (!oldest.retire()) {
            return false;
        }
        chain.removeOldest();
        oldest.closeFile();
        if (oldest.prepared() == options.segmentBytes() && spares.size() < options.sparesMax()) {
            String spare = oldest.name() + SegmentMaker.SPARE_SUFFIX;
            files.rename(oldest.name(), spare);
            spares.add(spare);
        } else {
            files.delete(oldest.name());
        }
        return true;
    }
}
