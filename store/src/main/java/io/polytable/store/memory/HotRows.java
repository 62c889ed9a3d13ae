package io.polytable.store.memory;

import io.polytable.table.Batch;
import io.polytable.table.EncodedRow;
import org.jspecify.annotations.Nullable;

/**
 * Rows that the state has and memory keeps a copy of: answers of the state, and rows that outlived their chunk. They go
 * into chunks of their own. Under the append mutex.
 */
final class HotRows {
    /** Where the first row lies: to the index, the very first places of all mean something else than a row. */
    private static final int FIRST_OFFSET = 8;

    private final Arena arena;
    private final RowIndex index;
    private final EncodedRow view = new EncodedRow();
    private @Nullable Chunk filling;

    HotRows(Arena arena, RowIndex index) {
        this.arena = arena;
        this.index = index;
    }

    /** The chunk that grows, if there is one. */
    @Nullable
    Chunk filling() {
        return filling;
    }

    /** Takes in the batch's only row as the newest of its key. */
    void add(long hash, Batch row) {
        int length = (int) row.sizeBytes();
        Chunk chunk = chunkFor(length);
        row.copyTo(chunk.bytes, chunk.end);
        added(hash, chunk, length);
    }

    /** Takes in an encoded row as the newest of its key. */
    void add(long hash, byte[] source, int offset, int length) {
        Chunk chunk = chunkFor(length);
        System.arraycopy(source, offset, chunk.bytes, chunk.end, length);
        added(hash, chunk, length);
    }

    private Chunk chunkFor(int length) {
        Chunk chunk = filling;
        if (chunk == null || chunk.left() < length) {
            close();
            chunk = arena.take(FIRST_OFFSET + length);
            chunk.end = FIRST_OFFSET;
            filling = chunk;
        }
        return chunk;
    }

    private void added(long hash, Chunk chunk, int length) {
        int at = chunk.end;
        chunk.end += length;
        chunk.add(at);
        view.moveTo(chunk.bytes, at);
        long unusedBefore = index.put(hash, arena.place(chunk, at), view);
        if (view.op() == EncodedRow.PUT) {
            arena.countLive(chunk, length);
        }
    }

    /** No row is added to the chunk that grows any more. */
    void close() {
        filling = null;
    }

    /** Rows that are there already lie below it, those still to come do not. */
    long nextAddress() {
        Chunk chunk = filling;
        return chunk == null ? arena.nextAddress() : chunk.address + chunk.end;
    }
}
