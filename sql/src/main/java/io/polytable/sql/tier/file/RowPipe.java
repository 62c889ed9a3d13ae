package io.polytable.sql.tier.file;

import io.polytable.frontend.work.BackgroundJob;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.tier.storage.StorageFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.hadoop.ParquetWriter;
import org.jspecify.annotations.Nullable;

/**
 * Hands rows to Parquet's writer on a separate thread. Encoding and compressing columns takes about as long as reading
 * and decoding rows from the store, so writing a long file takes little more than the longer of the two. The queue is
 * bounded to {@link #BLOCKS_MAX} blocks of {@link #BLOCK_ROWS} rows or {@link #BLOCK_BYTES}.
 */
final class RowPipe {
    private static final int BLOCK_ROWS = 500;
    private static final long BLOCK_BYTES = 1L << 20;
    private static final int BLOCKS_MAX = 4;
    private static final long LOOK_MILLIS = 100;

    /** The end marker: no rows follow. */
    private static final List<StoredRow> END = List.of();

    private final ParquetWriter<StoredRow> writer;
    private final BlockingQueue<List<StoredRow>> blocks = new ArrayBlockingQueue<>(BLOCKS_MAX);
    private final BackgroundJob writing;
    private List<StoredRow> block = new ArrayList<>(BLOCK_ROWS);
    private long blockBytes;
    private volatile @Nullable Throwable failure;

    RowPipe(ParquetWriter<StoredRow> writer) {
        this.writer = writer;
        writing = BackgroundJob.started("sql-segment-writer", this::run);
    }

    private void run() {
        try {
            for (List<StoredRow> rows = blocks.take(); !rows.isEmpty(); rows = blocks.take()) {
                for (StoredRow row : rows) {
                    writer.write(row);
                }
            }
        } catch (IOException | InterruptedException | RuntimeException | Error failed) {
            failure = failed;
        }
    }

    void write(StoredRow row, long bytes) {
        block.add(row);
        blockBytes += bytes;
        if (block.size() >= BLOCK_ROWS || blockBytes >= BLOCK_BYTES) {
            hand(block);
            block = new ArrayList<>(BLOCK_ROWS);
            blockBytes = 0;
        }
    }

    private void hand(List<StoredRow> rows) {
        try {
            while (!blocks.offer(rows, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                requireWhole();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StorageFailure("A file was interrupted", stopped);
        }
    }

    /** Returns when Parquet's writer has all rows; the caller may then use the writer again. */
    void finish() {
        if (!block.isEmpty()) {
            hand(block);
        }
        hand(END);
        join();
        requireWhole();
    }

    /** Stops the thread and drops the queued rows; the caller may then use Parquet's writer again. */
    void abandon() {
        // Not by an interrupt, which would close the file under Parquet's writer and make its close fail too.
        blocks.clear();
        while (writing.isRunning() && !blocks.offer(END)) {
            blocks.clear();
        }
        join();
    }

    private void join() {
        // Parquet's writer is not thread-safe: it must not be closed while a row is being written.
        writing.awaitEnd();
    }

    private void requireWhole() {
        Throwable failed = failure;
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed instanceof RuntimeException ours) {
            throw ours;
        }
        if (failed instanceof Exception io) {
            throw new StorageFailure("A file cannot be written: " + io.getMessage(), io);
        }
    }
}
