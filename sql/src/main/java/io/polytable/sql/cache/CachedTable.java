package io.polytable.sql.cache;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.feed.RangeChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one table under one schema version. A block is valid for a snapshot that sees the same version of its
 * range as the one the block was filled from.
 */
final class CachedTable {
    private final SqlTable table;
    private final List<Bytes> bounds;
    private final RangeChanges changes;
    private final @Nullable CachedBlock[] blocks;
    private final long[] versions;
    private boolean closed;

    CachedTable(SqlTable table, List<Bytes> bounds, RangeChanges changes) {
        this.table = table;
        this.bounds = List.copyOf(bounds);
        this.changes = changes;
        blocks = new CachedBlock[changes.size()];
        versions = new long[changes.size()];
    }

    SqlTable table() {
        return table;
    }

    List<Bytes> bounds() {
        return bounds;
    }

    RangeChanges changes() {
        return changes;
    }

    int size() {
        return blocks.length;
    }

    /** Installs the block and takes over its reference. */
    synchronized void put(int range, CachedBlock block, long version) {
        if (closed) {
            block.release();
            return;
        }
        CachedBlock old = blocks[range];
        blocks[range] = block;
        versions[range] = version;
        if (old != null) {
            old.release();
        }
    }

    synchronized boolean isCurrent(int range, long version) {
        return blocks[range] != null && version != RangeChanges.UNKNOWN && versions[range] == version;
    }

    synchronized CacheView view(Snapshot snapshot, Consumer<CacheView> released) {
        List<CacheView.Part> parts = new ArrayList<>();
        List<CachedBlock> held = new ArrayList<>();
        int firstChanged = -1;
        for (int i = 0; i < blocks.length; i++) {
            CachedBlock block = blocks[i];
            if (block == null || !isCurrent(i, snapshot.version(changes, i))) {
                firstChanged = firstChanged < 0 ? i : firstChanged;
                continue;
            }
            if (firstChanged >= 0) {
                parts.add(new CacheView.Changed(changes.range(firstChanged, i - 1)));
                firstChanged = -1;
            }
            if (block.block().rows() > 0) {
                parts.add(new CacheView.Cached(block.block().name()));
            }
            held.add(block.hold());
        }
        if (firstChanged >= 0) {
            parts.add(new CacheView.Changed(changes.range(firstChanged, blocks.length - 1)));
        }
        if (parts.isEmpty()) {
            // A query needs at least one part, even without rows.
            held.stream()
                    .limit(1)
                    .forEach(block ->
                            parts.add(new CacheView.Cached(block.block().name())));
        }
        return new CacheView(parts, held, blocks.length, released);
    }

    /** Shares the current blocks of another table whose ranges exist here too. The other keeps its own references. */
    void adopt(CachedTable other, Snapshot snapshot) {
        for (int from = 0; from < other.size(); from++) {
            int to = indexOf(other, from);
            CachedBlock block = other.current(from, snapshot);
            long version = to < 0 ? RangeChanges.UNKNOWN : snapshot.version(changes, to);
            if (block != null && version != RangeChanges.UNKNOWN) {
                put(to, block, version);
            } else if (block != null) {
                block.release();
            }
        }
    }

    /** The index of the range that equals a range of the other; -1 if there is none. */
    private int indexOf(CachedTable other, int range) {
        int start = range == 0 ? 0 : bounds.indexOf(other.bounds.get(range - 1)) + 1;
        boolean begins = range == 0 || start > 0;
        boolean lastOfBoth = range == other.bounds.size() && start == bounds.size();
        boolean ends = lastOfBoth
                || (range < other.bounds.size()
                        && start < bounds.size()
                        && bounds.get(start).equals(other.bounds.get(range)));
        return begins && ends ? start : -1;
    }

    /** The block with a reference for the caller, if it is valid for the snapshot. */
    private synchronized @Nullable CachedBlock current(int range, Snapshot snapshot) {
        CachedBlock block = blocks[range];
        return block != null && isCurrent(range, snapshot.version(changes, range)) ? block.hold() : null;
    }

    /** Whether most blocks match the current rows: then a miss only means that the snapshot is old. */
    synchronized boolean isUpToDate() {
        int current = 0;
        for (int i = 0; i < blocks.length; i++) {
            current += isCurrent(i, changes.version(i, Long.MAX_VALUE)) ? 1 : 0;
        }
        return current * 2 >= blocks.length;
    }

    synchronized long bytes() {
        long bytes = 0;
        for (CachedBlock block : blocks) {
            bytes += block == null ? 0 : block.block().bytes();
        }
        return bytes;
    }

    synchronized long rowsOf(int range) {
        CachedBlock block = blocks[range];
        return block == null ? 0 : block.block().rows();
    }

    /** Releases all blocks. Queries keep those that they hold. */
    synchronized void close() {
        closed = true;
        changes.close();
        for (int i = 0; i < blocks.length; i++) {
            CachedBlock block = blocks[i];
            blocks[i] = null;
            if (block != null) {
                block.release();
            }
        }
    }
}
