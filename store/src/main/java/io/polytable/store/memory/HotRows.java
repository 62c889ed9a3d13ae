package io.polytable.store.memory;

import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import org.jspecify.annotations.Nullable;

/**
 * The row cache: copies of rows that are also in the state, either read from it or moved here by compaction. They live
 * in chunks of their own. Under the append mutex.
 */
final class HotRows {
    /** The first row's offset. The index reserves the lowest places as markers. */
    private static final int FIRST_OFFSET = 8;

    private final Arena arena;
    private final RowIndex index;
    private final EncodedRow view = new EncodedRow();
    private @Nullable Chunk filling;

    HotRows(Arena arena, RowIndex index) {
        this.arena = arena;
        this.index = index;
    }

    /** The chunk being filled, if any. */
    @Nullable
    Chunk filling() {
        return filling;
    }

    /** Adds the batch's only row as the newest of its key. */
    void add(long hash, Batch row) {
        int length = (int) row.sizeBytes();
        Chunk chunk = chunkFor(length);
        row.copyTo(chunk.bytes, chunk.end);
        added(hash, chunk, length);
    }

    /** Adds an encoded row as the newest of its key. */
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

    /** Closes the chunk being filled: the next row starts another. */
    void close() {
        filling = null;
    }

    /** Present rows lie below this address, later ones do not. */
    long nextAddress() {
        Chunk chunk = filling;
        return chunk == null ? arena.nextAddress() : chunk.address + chunk.end;
    }
}
