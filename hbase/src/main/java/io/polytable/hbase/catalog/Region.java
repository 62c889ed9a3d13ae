package io.polytable.hbase.catalog;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.store.CellReads;
import io.polytable.cells.store.CellTable;
import io.polytable.hbase.rpc.Failures;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.jspecify.annotations.Nullable;

/** A range of a table's rows under a name that clients address. It has no storage of its own: the table's rows do. */
public final class Region {
    /** What a cell takes beside its row and its value, about. */
    private static final int CELL_BYTES = 32;

    private final RegionInfo description;
    private final RowRange range;
    private final CellReads reads;
    private final Optional<CellTable> table;
    private final Supplier<CellTableSpec> spec;
    private final LongAdder readRequests = new LongAdder();
    private final LongAdder writeRequests = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();

    /** The table's, not only the region's. */
    private final AtomicInteger writesUnderWay;

    private volatile boolean closed;
    private volatile long measuredBytes;

    Region(RegionInfo description, RowRange range, CellTable table, AtomicInteger writesUnderWay) {
        this.description = description;
        this.range = range;
        this.writesUnderWay = writesUnderWay;
        reads = table;
        this.table = Optional.of(table);
        spec = table::spec;
    }

    /** A region that is only read. */
    public Region(RegionInfo description, CellReads reads, CellTableSpec spec) {
        this.description = description;
        range = RowRange.ALL;
        writesUnderWay = new AtomicInteger();
        this.reads = reads;
        table = Optional.empty();
        this.spec = () -> spec;
    }

    public RegionInfo description() {
        return description;
    }

    /** Whether it shows what the server knows and has no rows of its own. */
    public boolean isView() {
        return table.isEmpty();
    }

    public RowRange range() {
        return range;
    }

    public CellTableSpec spec() {
        return spec.get();
    }

    /** For a request that reads. */
    public CellReads reading() {
        return reading(1);
    }

    /** For so many requests at once. */
    public CellReads reading(int requests) {
        readRequests.add(requests);
        return reads;
    }

    /** For what the server itself reads. */
    CellReads uncounted() {
        return reads;
    }

    /**
     * Makes a change, or several in a row. Refused where clients may only read, and when the region is closed; a table that is
     * disabled waits for what is under way.
     */
    public <T> CompletableFuture<T> write(Function<CellTable, CompletableFuture<T>> change) throws IOException {
        return write(1, change);
    }

    /** As so many requests at once. */
    public <T> CompletableFuture<T> write(int requests, Function<CellTable, CompletableFuture<T>> change)
            throws IOException {
        CellTable cells = table.orElseThrow(
                () -> new DoNotRetryIOException(description.getRegionNameAsString() + " cannot be written by clients"));
        writeRequests.add(requests);
        writesUnderWay.incrementAndGet();
        boolean started = false;
        try {
            if (closed) {
                throw closing();
            }
            CompletableFuture<T> written = change.apply(cells).handle(this::written);
            started = true;
            return written;
        } finally {
            if (!started) {
                writesUnderWay.decrementAndGet();
            }
        }
    }

    private <T> T written(T result, @Nullable Throwable failure) {
        writesUnderWay.decrementAndGet();
        if (failure != null) {
            throw new CompletionException(failure(failure));
        }
        return result;
    }

    /** As the client is told: a table that went away while the region was used is to be looked for again. */
    public IOException failure(Throwable failure) {
        IOException known = Failures.of(failure);
        return known instanceof TableNotFoundException ? closing() : known;
    }

    private NotServingRegionException closing() {
        return new NotServingRegionException(description.getRegionNameAsString() + " is closing");
    }

    void open() {
        closed = false;
    }

    /** No more changes begin. */
    void close() {
        closed = true;
    }

    /** Counts what a change that was accepted takes: what makes a region large enough to be split. */
    public void wrote(RowWrite write) {
        long bytes = 0;
        for (Edit edit : write.edits()) {
            bytes += CELL_BYTES + write.row().length();
            if (edit instanceof Edit.Put put) {
                bytes += put.value().length();
            } else if (edit instanceof Edit.Append append) {
                bytes += append.suffix().length();
            }
        }
        writtenBytes.add(bytes);
    }

    /** About what was written since the server knows the region. */
    public long writtenBytes() {
        return writtenBytes.sum();
    }

    /** How large it was when somebody last looked; 0 when nobody did. */
    public long measuredBytes() {
        return measuredBytes;
    }

    public void measured(long bytes) {
        measuredBytes = bytes;
    }

    public long readRequests() {
        return readRequests.sum();
    }

    public long writeRequests() {
        return writeRequests.sum();
    }

    /** The row is one of the region's; otherwise the client's knowledge of the regions is outdated. */
    public Bytes checked(Bytes row) throws WrongRegionException {
        if (!range.contains(row)) {
            throw new WrongRegionException("Requested row " + row + " is out of range of the region "
                    + description.getRegionNameAsString() + ", startKey=" + range.from() + ", endKey=" + range.to());
        }
        return row;
    }
}
