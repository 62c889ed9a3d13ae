package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatch;
import io.polytable.table.Origin;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Any real log that can be told to fail, and that writes down what is asked of it. Also for logs of other modules. */
public final class ScriptedLog implements CommitLog {
    private final CommitLog log;
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    public volatile boolean full;
    public volatile boolean failAppend;
    public volatile boolean failSync;

    /** Somebody else may have gone on with the log. */
    public volatile boolean overtaken;

    /** The next sync, and the next look at how much a replay would read, end with an error as no code expects it. */
    public volatile boolean breakSync;

    public volatile boolean breakBytesSince;

    /** Done once, when the thread releases records next. */
    private final Map<Thread, Runnable> onRelease = new ConcurrentHashMap<>();

    /** Whether the next step of a reader that is opened from now on fails. */
    volatile BooleanSupplier failReads = () -> false;

    /** It does not keep up with what is appended. */
    public volatile boolean late;

    /** Run by whoever reserves space. */
    volatile Runnable onReserve = () -> {};

    private volatile CountDownLatch syncGate = new CountDownLatch(0);

    public ScriptedLog(CommitLog log) {
        this.log = log;
    }

    public List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public long incarnation() {
        return log.incarnation();
    }

    @Override
    public long first() {
        return log.first();
    }

    @Override
    public long end() {
        return log.end();
    }

    @Override
    public long acknowledged() {
        return log.acknowledged();
    }

    @Override
    public long synced() {
        return log.synced();
    }

    @Override
    public boolean failed() {
        return log.failed();
    }

    @Override
    public boolean isCurrent() {
        return !overtaken && log.isCurrent();
    }

    @Override
    public long ticket() {
        return log.ticket();
    }

    @Override
    public void reserve(long bytes) {
        if (full) {
            throw new StoreException(StoreError.NO_ROOM, "No space left on the disk");
        }
        onReserve.run();
        log.reserve(bytes);
    }

    @Override
    public boolean hasRoom() {
        return !late && log.hasRoom();
    }

    @Override
    public Optional<StoreException> refusal() {
        return full ? Optional.of(new StoreException(StoreError.NO_ROOM, "No space left on the disk")) : log.refusal();
    }

    @Override
    public OptionalLong reservedBytes() {
        return log.reservedBytes();
    }

    @Override
    public void append(RecordBatch group) {
        if (failAppend) {
            throw new StoreException(StoreError.IO, "The write failed");
        }
        calls.add("append " + group.first() + ".." + group.last());
        log.append(group);
    }

    /** Who syncs waits here until the latch is counted down. */
    void holdSync(CountDownLatch latch) {
        syncGate = latch;
    }

    @Override
    public void sync() {
        try {
            syncGate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failSync) {
            throw new StoreException(StoreError.IO, "The sync failed");
        }
        if (breakSync) {
            throw new LinkageError("broken on purpose");
        }
        log.sync();
        calls.add("synced " + log.synced());
    }

    @Override
    public void onProgress(Runnable listener) {
        log.onProgress(listener);
    }

    @Override
    public long readerBytes() {
        return log.readerBytes();
    }

    @Override
    public LogReader read(long from) {
        calls.add("read " + from);
        return new FailingReader(log.read(from), failReads);
    }

    /** @param fails whether what is tried next fails: a step, or a look at the record */
    private record FailingReader(LogReader reader, BooleanSupplier fails) implements LogReader {
        @Override
        public boolean next() {
            if (fails.getAsBoolean()) {
                throw new StoreException(StoreError.IO, "The read failed");
            }
            return reader.next();
        }

        @Override
        public long position() {
            return reader.position();
        }

        @Override
        public long ticket() {
            return reader.ticket();
        }

        @Override
        public Origin origin() {
            return reader.origin();
        }

        @Override
        public OptionalLong writtenMillis() {
            return reader.writtenMillis();
        }

        @Override
        public byte[] array() {
            if (fails.getAsBoolean()) {
                throw new StoreException(StoreError.IO, "The record cannot be bound");
            }
            return reader.array();
        }

        @Override
        public int offset() {
            return reader.offset();
        }

        @Override
        public int length() {
            return reader.length();
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    void onRelease(Runnable action) {
        onRelease.put(Thread.currentThread(), action);
    }

    @Override
    public void release(long below) {
        log.release(below);
        Optional.ofNullable(onRelease.remove(Thread.currentThread())).ifPresent(Runnable::run);
    }

    @Override
    public long bytesSince(long position) {
        if (breakBytesSince) {
            throw new LinkageError("broken on purpose");
        }
        return log.bytesSince(position);
    }

    @Override
    public void close() {
        log.close();
    }
}
