package io.polytable.redis.command.replication;

import io.polytable.redis.model.effect.Effects;
import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The last bytes of the stream of commands that replicas receive, by their offset since the stream began. Commits append
 * while they hold the stripes of their keys, so the order of two commits of a key is that of the store. Thread safe.
 */
final class Backlog {
    private static final Bytes MULTI = command("MULTI");
    private static final Bytes EXEC = command("EXEC");
    private static final Bytes PING = command("PING");
    private static final Bytes GETACK = command("REPLCONF", "GETACK", "*");

    private final byte[] ring;
    private long end;
    private long first;
    private int selected = -1;
    private long appendedNanos = System.nanoTime();

    /** @param capacity the bytes that stay available */
    Backlog(int capacity) {
        this.ring = new byte[capacity];
    }

    private static Bytes command(String... words) {
        PackedBytes out = new PackedBytes(Integer.MAX_VALUE - 64);
        Effects.encode(List.of(words).stream().map(Bytes::utf8).toList(), out);
        return out.toBytes();
    }

    /** Appends the commands of one commit. */
    synchronized void append(Effects effects) {
        if (effects.isEmpty()) {
            return;
        }
        if (effects.isTransaction()) {
            add(MULTI);
        }
        if (effects.firstDatabase() != selected) {
            PackedBytes select = new PackedBytes(64);
            Effects.encode(Effects.select(effects.firstDatabase()), select);
            add(select.toBytes());
        }
        add(effects.bytes());
        selected = effects.lastDatabase();
        if (effects.isTransaction()) {
            add(EXEC);
        }
        appended();
    }

    /** Appends a command that changes no key. */
    synchronized void append(List<Bytes> words) {
        PackedBytes out = new PackedBytes(Integer.MAX_VALUE - 64);
        Effects.encode(words, out);
        add(out.toBytes());
        appended();
    }

    /** Keeps the connections of replicas alive when nothing else was appended for so long. */
    synchronized void ping(long idleMillis) {
        if (System.nanoTime() - appendedNanos > TimeUnit.MILLISECONDS.toNanos(idleMillis)) {
            add(PING);
            appended();
        }
    }

    /** Asks the replicas to report their offset now. */
    synchronized void askForAcknowledgement() {
        add(GETACK);
        appended();
    }

    private void appended() {
        appendedNanos = System.nanoTime();
        notifyAll();
    }

    private void add(Bytes bytes) {
        int skipped = Math.max(0, bytes.length() - ring.length);
        long at = end + skipped;
        for (int from = skipped; from < bytes.length(); ) {
            int place = (int) (at % ring.length);
            int length = Math.min(bytes.length() - from, ring.length - place);
            System.arraycopy(bytes.array(), bytes.offset() + from, ring, place, length);
            from += length;
            at += length;
        }
        end += bytes.length();
        first = Math.max(first, end - ring.length);
    }

    /** The offset behind the last byte; the next command selects its database, since a new reader begins here. */
    synchronized long begin() {
        selected = -1;
        return end;
    }

    synchronized long end() {
        return end;
    }

    /** The offset of the first byte that is still there. */
    synchronized long first() {
        return first;
    }

    int capacity() {
        return ring.length;
    }

    /** Whether a reader can continue at the offset. */
    synchronized boolean has(long offset) {
        return offset >= first && offset <= end;
    }

    /**
     * Copies bytes from the offset on, waiting for the first; returns how many, zero after the timeout, or -1 when they
     * are no longer there.
     */
    synchronized int read(long offset, byte[] target, long waitMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        long leftMillis = waitMillis;
        while (offset == end && leftMillis > 0) {
            wait(leftMillis);
            leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        if (!has(offset)) {
            return -1;
        }
        int length = (int) Math.min(target.length, end - offset);
        for (int copied = 0; copied < length; ) {
            int place = (int) ((offset + copied) % ring.length);
            int step = Math.min(length - copied, ring.length - place);
            System.arraycopy(ring, place, target, copied, step);
            copied += step;
        }
        return length;
    }
}
