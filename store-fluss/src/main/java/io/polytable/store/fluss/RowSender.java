package io.polytable.store.fluss;

import io.polytable.store.log.GroupFormat;
import io.polytable.store.log.LogGroup;
import io.polytable.store.log.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner's only writer: one thread, one write on its way at a time, each checked to have landed where it was expected.
 * What is appended meanwhile becomes the next row. The first surprise ends everything.
 */
final class RowSender {
    private static final Logger LOG = LoggerFactory.getLogger(RowSender.class);
    /** Groups are put into one row up to this; it bounds what a lookup answers. */
    private static final int ROW_BYTES_MAX = 1 << 20;
    /** A larger group is spread over rows of this size. */
    static final int PART_BYTES = 4 << 20;

    private static final long PENDING_BYTES_MAX = 128L << 20;
    private static final int REMOVALS_AT_ONCE = 256;
    private static final int JOIN_SECONDS_MAX = 90;

    private final LogTable table;
    private final Progress progress;
    private final Lease lease;
    private final long leaseMillis;
    private final Spans spans;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Deque<LogGroup> pending = new ArrayDeque<>();
    private final Deque<Removal> removals = new ArrayDeque<>();
    private final Thread thread;
    private final AtomicLong pendingBytes = new AtomicLong();
    private boolean closing;
    private long expected;
    private long seq;
    private long bytes;

    RowSender(LogTable table, Progress progress, Lease lease, FlussLogOptions options, Spans spans, long nextOffset) {
        this.table = table;
        this.progress = progress;
        this.lease = lease;
        this.leaseMillis = options.lease().toMillis();
        this.spans = spans;
        this.expected = nextOffset;
        this.seq = spans.own().lastSeq();
        this.bytes = spans.own().bytesBehind();
        this.thread = new Thread(this::run, "polytable-fluss-log");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Waits while too much is on its way already. */
    void awaitRoom(long more) {
        if (pendingBytes.get() + more <= PENDING_BYTES_MAX || pendingBytes.get() == 0) {
            return;
        }
        lock.lock();
        try {
            long left = table.cluster().settings().answerMax().toNanos();
            while (pendingBytes.get() > PENDING_BYTES_MAX / 2 && left > 0 && !progress.failed()) {
                left = room.awaitNanos(left);
            }
            progress.requireWritable();
            if (left <= 0) {
                throw FlussFault.noRoom(pendingBytes.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw FlussFault.noRoom(pendingBytes.get());
        } finally {
            lock.unlock();
        }
    }

    void append(LogGroup group) {
        lock.lock();
        try {
            pending.addLast(group);
            pendingBytes.addAndGet(group.length());
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Removes the rows below the floor, between other writes; the answer completes when the floor is known to all. */
    CompletableFuture<Void> remove(Floor floor, Iterator<LogKey> keys) {
        Removal removal = new Removal(floor, keys, new CompletableFuture<>());
        lock.lock();
        try {
            removals.addLast(removal);
            work.signal();
        } finally {
            lock.unlock();
        }
        return removal.announced();
    }

    private record Removal(Floor floor, Iterator<LogKey> keys, CompletableFuture<Void> announced) {}

    private void run() {
        try {
            while (awaitWork()) {
                writeOne();
            }
            if (!progress.failed()) {
                write(List.of(note(false)));
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable reason) {
        LOG.warn("The log in Fluss failed; nothing more is acknowledged", reason);
        progress.fail(reason);
        lock.lock();
        try {
            pending.clear();
            pendingBytes.set(0);
            removals.forEach(removal -> removal.announced().completeExceptionally(reason));
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is more to do; waits until there is, or the lease wants to be renewed. */
    private boolean awaitWork() {
        lock.lock();
        try {
            long left = lease.dueInNanos();
            while (pending.isEmpty() && removals.isEmpty() && !closing && left > 0) {
                left = work.awaitNanos(left);
            }
            return !closing || !pending.isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void writeOne() {
        List<LogGroup> groups = take();
        if (!groups.isEmpty()) {
            writeGroups(groups);
            return;
        }
        Removal removal = nextRemoval();
        if (removal != null) {
            removeSome(removal);
        } else if (lease.dueInNanos() <= 0) {
            write(List.of(note(true)));
            progress.advanced();
        }
    }

    /** As many whole groups as fit into a row, at least one of those that wait. */
    private List<LogGroup> take() {
        List<LogGroup> groups = new ArrayList<>();
        lock.lock();
        try {
            long size = 0;
            for (LogGroup next = pending.peekFirst();
                    next != null && (groups.isEmpty() || size + next.length() <= ROW_BYTES_MAX);
                    next = pending.peekFirst()) {
                groups.add(pending.removeFirst());
                size += next.length();
            }
            return groups;
        } finally {
            lock.unlock();
        }
    }

    private void writeGroups(List<LogGroup> groups) {
        List<LogRow> rows = rows(groups);
        write(rows);
        LogRow last = rows.get(rows.size() - 1);
        seq = last.key().seq();
        bytes = last.bytesBehind();
        spans.grow(rows.get(0), last);
        freed(groups.stream().mapToLong(LogGroup::length).sum());
        progress.acknowledge(groups.get(groups.size() - 1));
    }

    private void freed(long size) {
        lock.lock();
        try {
            pendingBytes.addAndGet(-size);
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private List<LogRow> rows(List<LogGroup> groups) {
        LogKey key = spans.own().key(seq + 1);
        byte[] body = sealed(groups, spans.salt(key));
        LogGroup first = groups.get(0);
        LogGroup last = groups.get(groups.size() - 1);
        int parts = body.length <= PART_BYTES ? 1 : (body.length + PART_BYTES - 1) / PART_BYTES;
        List<LogRow> rows = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            int from = part * PART_BYTES;
            byte[] piece = parts == 1 ? body : Arrays.copyOfRange(body, from, Math.min(body.length, from + PART_BYTES));
            long begins = part == 0 ? first.first() : last.last() + 1;
            rows.add(new LogRow(
                    new LogKey(key.epoch(), key.owner(), key.seq() + part),
                    expected + part,
                    begins,
                    last.last(),
                    last.ticket(),
                    bytes + from,
                    parts - 1 - part,
                    piece));
        }
        return rows;
    }

    private byte[] sealed(List<LogGroup> groups, long salt) {
        int length = Math.toIntExact(groups.stream().mapToLong(LogGroup::length).sum());
        byte[] body = new byte[length];
        int at = 0;
        for (LogGroup group : groups) {
            GroupFormat.seal(group, progress.synced(), salt);
            System.arraycopy(group.array(), group.offset(), body, at, group.length());
            at += group.length();
        }
        return body;
    }

    private LogRow note(boolean held) {
        Span own = spans.own();
        Lease.Note note = new Lease.Note(own.epoch(), own.owner(), held, leaseMillis);
        return LogRow.note(LogKey.LEASE, expected, note.encode());
    }

    private @Nullable Removal nextRemoval() {
        lock.lock();
        try {
            return removals.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** The floor first: whoever opens the log must not expect rows that are about to go. */
    private void removeSome(Removal removal) {
        Span own = spans.own();
        if (!removal.announced().isDone()) {
            LogKey key = LogKey.floor(own.epoch(), own.owner());
            write(List.of(LogRow.note(key, expected, removal.floor().encode())));
            spans.raise(removal.floor());
            removal.announced().complete(null);
            return;
        }
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        LogKey last = removal.floor().key();
        while (removal.keys().hasNext() && answers.size() < REMOVALS_AT_ONCE) {
            last = removal.keys().next();
            answers.add(table.remove(last));
        }
        if (!answers.isEmpty()) {
            settle(answers, last, Optional::isEmpty);
        }
        if (!removal.keys().hasNext()) {
            lock.lock();
            try {
                removals.removeFirst();
            } finally {
                lock.unlock();
            }
        }
    }

    private void write(List<LogRow> rows) {
        long sent = System.nanoTime();
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        for (LogRow row : rows) {
            answers.add(table.write(row));
        }
        LogRow last = rows.get(rows.size() - 1);
        settle(
                answers,
                last.key(),
                seen -> seen.filter(row -> row.offset() == last.offset()).isPresent());
        lease.renewed(sent);
    }

    /** All must have landed one behind the other, where they were expected, or at least before anybody's claim. */
    private void settle(List<CompletableFuture<Long>> answers, LogKey last, Predicate<Optional<LogRow>> isThere) {
        long behind = 0;
        for (CompletableFuture<Long> answer : answers) {
            behind = Math.max(behind, table.cluster().await(answer));
        }
        long wanted = expected + answers.size();
        if (behind != wanted) {
            requireUnclaimed(last, isThere, wanted, behind);
        }
        expected = behind;
    }

    /**
     * Somebody else wrote to the table. A former owner's last write that comes late is harmless; a claim is not. Since
     * lookups see rows in the order of their offsets, a claim before our own write can be seen when that can.
     */
    private void requireUnclaimed(LogKey last, Predicate<Optional<LogRow>> isThere, long wanted, long behind) {
        long deadline =
                System.nanoTime() + table.cluster().settings().answerMax().toNanos();
        while (!isThere.test(table.read(last))) {
            if (System.nanoTime() > deadline) {
                throw FlussFault.overtaken(last, wanted, behind);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        if (table.read(LogKey.claim(spans.own().epoch() + 1)).isPresent()) {
            throw FlussFault.overtaken(last, wanted, behind);
        }
        LOG.warn("A former owner of the log in Fluss wrote to it, too late to matter");
    }

    /** Writes what waits, lets the lease go, and ends. */
    void close() {
        lock.lock();
        try {
            closing = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        try {
            TimeUnit.SECONDS.timedJoin(thread, JOIN_SECONDS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
