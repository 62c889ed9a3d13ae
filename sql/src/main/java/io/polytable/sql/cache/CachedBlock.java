package io.polytable.sql.cache;

import java.util.function.Consumer;

/** A reference-counted block of columns, held by the cache and by queries; the last release drops it. */
final class CachedBlock {
    private final BlockStore.Block block;
    private final Consumer<BlockStore.Block> drop;
    private int holders = 1;

    CachedBlock(BlockStore.Block block, Consumer<BlockStore.Block> drop) {
        this.block = block;
        this.drop = drop;
    }

    BlockStore.Block block() {
        return block;
    }

    synchronized CachedBlock hold() {
        if (holders == 0) {
            throw new IllegalStateException("a block that was dropped");
        }
        holders++;
        return this;
    }

    void release() {
        boolean last;
        synchronized (this) {
            last = --holders == 0;
        }
        if (last) {
            drop.accept(block);
        }
    }
}
