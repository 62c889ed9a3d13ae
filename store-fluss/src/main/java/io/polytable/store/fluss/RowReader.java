package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogProgress;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.table.Origin;
import io.polytable.table.StoreException;
import java.util.Optional;
import java.util.OptionalLong;

/** A log reader over the rows. */
final class RowReader implements LogReader {
    private final LogTable table;
    private final PositionIndex index;
    private final LogProgress progress;
    private Optional<RowFetcher> rows = Optional.empty();
    private LogKey row = LogKey.LEASE;
    private byte[] array = {};
    private int batchEnd;
    private int recordsLeft;
    private int offset;
    private int length;
    private long position;
    private long ticket;
    private OptionalLong writtenMillis = OptionalLong.empty();
    private Origin origin = Origin.CLIENT;
    private boolean closed;

    RowReader(LogTable table, PositionIndex index, LogProgress progress, long from) {
        this.table = table;
        this.index = index;
        this.progress = progress;
        position = from - 1;
    }

    @Override
    public boolean next() {
        progress.requireOpen();
        if (closed) {
            throw LogFault.closed();
        }
        if (position >= progress.acknowledged()) {
            return false;
        }
        long wanted = position + 1;
        do {
            if (recordsLeft == 0) {
                nextBatch(wanted);
            }
            nextRecord();
        } while (position < wanted);
        return true;
    }

    private void nextRecord() {
        offset += length + RecordBatchFormat.RECORD_HEADER_BYTES;
        length = RecordBatchFormat.recordLength(array, offset - RecordBatchFormat.RECORD_HEADER_BYTES);
        origin = RecordBatchFormat.origin(array, offset - RecordBatchFormat.RECORD_HEADER_BYTES);
        if (length < 0 || offset + length > batchEnd) {
            throw FlussFault.damaged(row);
        }
        position++;
        recordsLeft--;
    }

    private void nextBatch(long wanted) {
        if (batchEnd >= array.length) {
            nextRow(wanted);
        }
        int at = batchEnd;
        int header = soundHeaderBytes(at);
        if (RecordBatchFormat.first(array, at) > wanted) {
            throw FlussFault.damaged(row);
        }
        batchEnd = at + RecordBatchFormat.length(array, at);
        recordsLeft = RecordBatchFormat.count(array, at);
        position = RecordBatchFormat.first(array, at) - 1;
        ticket = RecordBatchFormat.ticket(array, at);
        writtenMillis = header == RecordBatchFormat.HEADER_BYTES
                ? OptionalLong.of(RecordBatchFormat.millis(array, at))
                : OptionalLong.empty();
        offset = at + header;
        length = 0;
    }

    /** Checks the batch that begins there; returns the length of its header. */
    private int soundHeaderBytes(int at) {
        int left = array.length - at;
        int header = RecordBatchFormat.headerBytes(array, at, left).orElseThrow(() -> FlussFault.damaged(row));
        int size = RecordBatchFormat.length(array, at);
        boolean sound = size >= header
                && size <= left
                && RecordBatchFormat.checksum(array, at, size, index.salt(row))
                        == RecordBatchFormat.storedChecksum(array, at);
        if (!sound) {
            throw FlussFault.damaged(row);
        }
        return header;
    }

    private void nextRow(long wanted) {
        boolean isRead = false;
        try {
            // The previous row may have been trimmed while the wanted position is just the first one kept.
            RowFetcher fetcher = rows.filter(RowFetcher::hasNext).orElseGet(() -> fetcher(wanted));
            rows = Optional.of(fetcher);
            LogRow first = fetcher.next();
            row = first.key();
            array = first.more() == 0 ? first.body() : joined(first, fetcher);
            batchEnd = 0;
            isRead = true;
        } catch (StoreException e) {
            // A row missing because it was trimmed is not damage.
            throw wanted < index.first() ? LogFault.expired(wanted) : e;
        } finally {
            if (!isRead) {
                startOver();
            }
        }
    }

    /** After a failure rows fetched ahead may be lost: the next call searches for the wanted one again. */
    private void startOver() {
        rows.ifPresent(RowFetcher::close);
        rows = Optional.empty();
        array = new byte[0];
        batchEnd = 0;
    }

    private RowFetcher fetcher(long wanted) {
        PositionIndex.Mark mark = index.find(wanted).orElseThrow(() -> LogFault.expired(wanted));
        return new RowFetcher(table.cluster().ahead(), table::ask, index, mark.key());
    }

    /**
     * Joins the parts of a batch in an array of exactly its length, which its header states: it may be large and is
     * never held twice.
     */
    private static byte[] joined(LogRow first, RowFetcher fetcher) {
        byte[] whole = new byte[lengthOf(first)];
        int at = append(whole, 0, first);
        for (int more = first.more(); more > 0; more--) {
            at = append(whole, at, fetcher.next());
        }
        if (at < whole.length) {
            throw FlussFault.damaged(first.key());
        }
        return whole;
    }

    private static int append(byte[] whole, int at, LogRow part) {
        int length = part.body().length;
        if (length > whole.length - at) {
            throw FlussFault.damaged(part.key());
        }
        System.arraycopy(part.body(), 0, whole, at, length);
        return at + length;
    }

    private static int lengthOf(LogRow first) {
        byte[] body = first.body();
        boolean isBatch = RecordBatchFormat.headerBytes(body, 0, body.length).isPresent();
        int length = isBatch ? RecordBatchFormat.length(body, 0) : 0;
        if (length < body.length || length > (first.more() + 1L) * RowPacker.PART_BYTES) {
            throw FlussFault.damaged(first.key());
        }
        return length;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long ticket() {
        return ticket;
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public OptionalLong writtenMillis() {
        return writtenMillis;
    }

    @Override
    public byte[] array() {
        return array;
    }

    @Override
    public int offset() {
        return offset;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void close() {
        closed = true;
        startOver();
    }
}
