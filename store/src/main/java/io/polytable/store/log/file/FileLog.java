package io.polytable.store.log.file;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogProgress;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.disk.DiskFiles;
import io.polytable.store.log.disk.LogFiles;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The commit log in a directory of local files. The package page explains how it works, docs/formats/log.md its bytes.
 */
public final class FileLog implements CommitLog {
    private final LogFiles files;
    private final ControlFile control;
    private final SegmentChain chain;
    private final LogProgress progress;
    private final Retirement retirement;
    private final SegmentSupply supply;
    private final SegmentAppender appender;
    private final Syncer syncer;
    private final LogMaintenance maintenance;
    private final Optional<TornTail> cut;
    private final long incarnation;

    private FileLog(LogFiles files, FileLogOptions options, LogRecovery.Opened opened, long idleNanos) {
        this.files = files;
        this.control = opened.control();
        this.chain = opened.chain();
        this.cut = opened.cut();
        this.incarnation = control.state().incarnation();
        Segment active = chain.active();
        this.progress = new LogProgress(active.last(), active.ticket());
        this.retirement = new Retirement(files, options, control, chain, progress);
        SegmentMaker maker = new SegmentMaker(files, control);
        this.supply = new SegmentSupply(maker, options, chain, retirement, progress, opened.next());
        this.syncer = new Syncer(progress, chain, control.marks());
        this.maintenance = new LogMaintenance(supply, retirement, syncer, progress, options, idleNanos);
        this.appender = new SegmentAppender(progress, chain, supply, options, maintenance::wake);
    }

    /**
     * Opens the log in the directory, or creates one.
     *
     * @throws StoreException {@link io.polytable.table.StoreError#CORRUPT} if something promised is missing or damaged,
     *     {@link io.polytable.table.StoreError#NEWER_FORMAT}, {@link io.polytable.table.StoreError#IN_USE}
     */
    public static FileLog open(Path directory, FileLogOptions options) {
        try {
            return open(DiskFiles.open(directory), options);
        } catch (IOException e) {
            throw LogFault.unusable(directory.toString(), e);
        }
    }

    /** Whether the directory has a log in files, which opening it would continue and not create. */
    public static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(ControlFile.NAME));
    }

    /** Opens the log on these files, which it owns and closes. */
    public static FileLog open(LogFiles files, FileLogOptions options) {
        return open(files, options, LogMaintenance.IDLE_NANOS);
    }

    /** @param idleNanos how long the maintenance thread sleeps unless it is woken */
    static FileLog open(LogFiles files, FileLogOptions options, long idleNanos) {
        try {
            FileLog log = new FileLog(files, options, LogRecovery.open(files, options), idleNanos);
            if (options.background()) {
                log.maintenance.start();
            }
            return log;
        } catch (RuntimeException | Error e) {
            closeQuietly(files, e);
            throw e;
        }
    }

    private static void closeQuietly(LogFiles files, Throwable reason) {
        try {
            files.close();
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** The torn tail that opening the log cut off, if any. */
    public Optional<TornTail> cut() {
        return cut;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public long first() {
        return chain.oldest().first();
    }

    @Override
    public long end() {
        return progress.acknowledged();
    }

    @Override
    public long acknowledged() {
        return progress.acknowledged();
    }

    @Override
    public long synced() {
        return progress.synced();
    }

    @Override
    public boolean failed() {
        return progress.failed();
    }

    @Override
    public long ticket() {
        return progress.ticket();
    }

    @Override
    public void reserve(long bytes) {
        progress.requireWritable();
        supply.reserve(bytes);
    }

    @Override
    public boolean hasRoom() {
        return progress.failed() || supply.keepsUp();
    }

    @Override
    public Optional<StoreException> refusal() {
        return supply.refusal();
    }

    @Override
    public OptionalLong reservedBytes() {
        return OptionalLong.of(supply.roomBytes());
    }

    @Override
    public void append(RecordBatch batch) {
        appender.append(batch);
    }

    @Override
    public void sync() {
        syncer.sync();
    }

    @Override
    public void onProgress(Runnable listener) {
        progress.listen(listener);
    }

    @Override
    public long readerBytes() {
        return ReadWindow.WINDOW_BYTES;
    }

    @Override
    public LogReader read(long from) {
        progress.requireOpen();
        if (from > end() + 1) {
            throw LogFault.beyondEnd(from, end());
        }
        Segment segment = chain.floor(from);
        if (segment == null) {
            throw LogFault.expired(from);
        }
        return new FileLogReader(files, chain, progress, segment, from);
    }

    @Override
    public void release(long below) {
        progress.requireOpen();
        retirement.release(below);
        maintenance.wake();
    }

    /** Keeps all segments, whatever is released, until the result is closed. */
    public Hold hold() {
        supply.lock().lock();
        try {
            retirement.holds().incrementAndGet();
        } finally {
            supply.lock().unlock();
        }
        AtomicBoolean held = new AtomicBoolean(true);
        return () -> {
            if (held.compareAndSet(true, false)) {
                retirement.holds().decrementAndGet();
                maintenance.wake();
            }
        };
    }

    interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    /** Runs all pending maintenance now, in the caller's thread. */
    public void maintain() {
        maintenance.catchUp();
    }

    @Override
    public long bytesSince(long position) {
        return chain.bytesSince(position);
    }

    @Override
    public void close() {
        if (!progress.close()) {
            return;
        }
        maintenance.stop();
        try {
            if (!progress.failed()) {
                syncer.finish();
            }
        } catch (IOException e) {
            throw progress.fail(e);
        } finally {
            closeFiles();
        }
    }

    private void closeFiles() {
        // Whatever fails: the files hold the lock of the directory, and must release it.
        try (files;
                control) {
            closeSegments();
        } catch (IOException e) {
            throw LogFault.unusable(files.describe(""), e);
        }
    }

    private void closeSegments() throws IOException {
        IOException failed = null;
        for (Segment segment : chain.from(0)) {
            try {
                segment.closeFile();
            } catch (IOException e) {
                failed = e;
            }
        }
        supply.close();
        if (failed != null) {
            throw failed;
        }
    }
}
