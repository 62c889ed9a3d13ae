package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.Moment;
import io.polytable.store.log.LogProgress;
import io.polytable.store.log.RecordBatch;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner's writer thread. It sends appended batches, and in between trims the log and renews the lease. All writes
 * go through one {@link FencedWriter}, one at a time; what is appended during a write becomes the next row. The first
 * failure fails the log.
 */
final class RowSender {
    private static final Logger LOG = LoggerFactory.getLogger(RowSender.class);
    private static final int JOIN_SECONDS_MAX = 90;

    /** Under constant load a trim step runs after this many sends: otherwise the log would grow forever. */
    private static final int SENDS_PER_TRIM = 8;

    private final SendQueue queue;
    private final FencedWriter writer;
    private final Lease lease;
    private final LogTrimmer trimmer;
    private final LogProgress progress;
    private final PositionIndex index;
    private final RowPacker packer;
    private final Thread thread;
    private int sendsSinceTrim;

    RowSender(
            SendQueue queue,
            FencedWriter writer,
            Lease lease,
            LogTrimmer trimmer,
            LogProgress progress,
            PositionIndex index) {
        this.queue = queue;
        this.writer = writer;
        this.lease = lease;
        this.trimmer = trimmer;
        this.progress = progress;
        this.index = index;
        this.packer = new RowPacker(index);
        this.thread = new Thread(this::run, "polytable-fluss-log");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (queue.awaitWork(trimmer.isIdle() ? lease.dueInNanos() : 0)) {
                step();
            }
            lease.release();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable reason) {
        LOG.warn("The log in Fluss failed; nothing more is acknowledged", reason);
        progress.fail(reason);
        queue.abandon();
        trimmer.fail(reason);
    }

    private void step() {
        if (sendsSinceTrim >= SENDS_PER_TRIM && !trimmer.isIdle()) {
            trim();
            return;
        }
        List<RecordBatch> batches = queue.take(RowPacker.ROW_BYTES_MAX);
        if (!batches.isEmpty()) {
            send(batches);
            sendsSinceTrim++;
        } else if (lease.dueInNanos() <= 0) {
            lease.renew();
            progress.advanced();
        } else {
            trim();
        }
    }

    private void trim() {
        trimmer.step();
        sendsSinceTrim = 0;
    }

    private void send(List<RecordBatch> batches) {
        List<LogRow> rows = packer.pack(batches, writer.expected(), progress.synced(), System.currentTimeMillis());
        Moment sent = lease.now();
        writer.write(rows);
        lease.renewed(sent);
        index.grow(rows.get(0), rows.get(rows.size() - 1));
        queue.acknowledged(batches);
        progress.acknowledge(batches.get(batches.size() - 1));
    }

    /** Sends what is queued, releases the lease and ends. */
    void close() {
        queue.close();
        try {
            TimeUnit.SECONDS.timedJoin(thread, JOIN_SECONDS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
