package io.polytable.store.memory;

import java.util.concurrent.atomic.AtomicReference;

/** Rows in memory whose look-ups can be interrupted: for tests of what happens between a look and what follows it. */
public final class PausedMemory {
    private final AtomicReference<Runnable> afterFind = new AtomicReference<>(() -> {});
    private final RowMemory memory = new RowMemory(64 << 20, Addresses.DEFAULT, Index::new);

    private final class Index extends RowIndex {
        Index(Arena arena, long budgetBytes) {
            super(arena, budgetBytes);
        }

        @Override
        long find(long hash, int table, byte[] key, int offset, int length) {
            long found = super.find(hash, table, key, offset, length);
            afterFind.getAndSet(() -> {}).run();
            return found;
        }
    }

    public RowMemory memory() {
        return memory;
    }

    /** Runs the action once, between the next look-up and its caller. */
    public void afterNextFind(Runnable action) {
        afterFind.set(action);
    }
}
