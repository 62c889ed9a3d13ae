package io.polytable.hbase.catalog;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.CellReads;
import io.polytable.cells.store.CellTable;
import io.polytable.hbase.convert.Descriptors;
import io.polytable.hbase.convert.StoredCell;
import io.polytable.hbase.rpc.Failures;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.jspecify.annotations.Nullable;

/** A range of a table's rows, with the name by which clients address it. It has no storage of its own. */
public final class Region {
    /** The approximate size of a cell besides its row and value. */
    private static final int CELL_BYTES = 32;

    /** The table's setting for the largest cell that it takes; not positive for no limit besides the store's. */
    public static final String CELL_BYTES_MAX_KEY = "hbase.server.keyvalue.maxsize";

    /** As HBase. */
    public static final long CELL_BYTES_MAX = 10 << 20;

    private final RegionInfo description;
    private final RowRange range;
    private final CellReads reads;
    private final Optional<CellTable> table;
    private final Supplier<CellTableSpec> spec;
    private final LongAdder readRequests = new LongAdder();
    private final LongAdder writeRequests = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();

    /** Counts the writes of the whole table. */
    private final AtomicInteger writesUnderWay;

    private volatile boolean closed;
    private volatile Size size = new Size(0, 0);

    /** Settings of the table that concern every write; computed once per definition. */
    private record Settings(CellTableSpec of, boolean readOnly, long cellBytesMax) {
        static Settings of(CellTableSpec spec) {
            TableDescriptor table = Descriptors.descriptor(spec);
            return new Settings(spec, table.isReadOnly(), cellBytesMax(table));
        }

        /** A stored value that is no number counts as none: today it is refused, but an older server took it. */
        private static long cellBytesMax(TableDescriptor table) {
            String own = table.getValue(CELL_BYTES_MAX_KEY);
            try {
                return own == null ? CELL_BYTES_MAX : Long.parseLong(own);
            } catch (NumberFormatException stored) {
                return CELL_BYTES_MAX;
            }
        }
    }

    private volatile @Nullable Settings settings;

    /** The region's size when {@code writtenBytes} had the given value. */
    private record Size(long bytes, long writtenBytes) {}

    Region(RegionInfo description, RowRange range, CellTable table, AtomicInteger writesUnderWay) {
        this.description = description;
        this.range = range;
        this.writesUnderWay = writesUnderWay;
        reads = table;
        this.table = Optional.of(table);
        spec = table::spec;
    }

    /** A read-only region. */
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

    /** Whether it is a view of server state, without stored rows. */
    public boolean isView() {
        return table.isEmpty();
    }

    public RowRange range() {
        return range;
    }

    public CellTableSpec spec() {
        return spec.get();
    }

    /** Counts a read request and returns the reads. */
    public CellReads reading() {
        return reading(1);
    }

    /** Counts several read requests and returns the reads. */
    public CellReads reading(int requests) {
        readRequests.add(requests);
        return reads;
    }

    /** The reads, for internal use that is not counted. */
    CellReads uncounted() {
        return reads;
    }

    /** Runs a write. Refused if the region is read-only or closed. Disabling a table waits for its running writes. */
    public <T> CompletableFuture<T> write(Function<CellTable, CompletableFuture<T>> change) throws IOException {
        return write(1, change);
    }

    /** Runs a write that counts as several requests. */
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
            if (settings().readOnly()) {
                throw new DoNotRetryIOException("region is read only");
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

    @SuppressWarnings("ReferenceEquality") // A definition is one object until it changes, and large to compare.
    private Settings settings() throws IOException {
        CellTableSpec now;
        try {
            now = spec();
        } catch (CellException dropped) {
            throw failure(dropped);
        }
        Settings known = settings;
        if (known == null || known.of() != now) {
            known = Settings.of(now);
            settings = known;
        }
        return known;
    }

    /** Returns the write if its row is in the region and its cells are not too large. */
    public RowWrite checked(RowWrite write) throws IOException {
        checked(write.row());
        checkSizes(write.row(), write.edits());
        return limited(write);
    }

    /** Limits the cells that the write may produce: the table's limit holds for them, too. */
    public RowWrite limited(RowWrite write) throws IOException {
        long bytesMax = settings().cellBytesMax();
        return bytesMax > 0 ? write.withComputedCellBytesMax(bytesMax) : write;
    }

    /** Requires that no cell is larger than the table allows. */
    public void checkSizes(Bytes row, List<Edit> edits) throws IOException {
        long bytesMax = settings().cellBytesMax();
        for (Edit edit : edits) {
            if (edit instanceof Edit.Put put && isTooLarge(row, put.family(), put.qualifier(), put.value(), bytesMax)) {
                throw tooLarge(put.at(row, Cell.LATEST), bytesMax);
            } else if (edit instanceof Edit.Append append
                    && isTooLarge(row, append.family(), append.qualifier(), append.suffix(), bytesMax)) {
                Bytes family = append.family();
                throw tooLarge(
                        new Cell(row, family, append.qualifier(), Cell.LATEST, CellKind.PUT, append.suffix()),
                        bytesMax);
            }
        }
    }

    private static boolean isTooLarge(Bytes row, Bytes family, Bytes qualifier, Bytes value, long bytesMax) {
        return bytesMax > 0 && Cell.sizeBytes(row, family, qualifier, value) > bytesMax;
    }

    private static DoNotRetryIOException tooLarge(Cell cell, long bytesMax) {
        return new DoNotRetryIOException("Cell[" + CellUtil.getCellKeyAsString(new StoredCell(cell)) + "] with size "
                + cell.sizeBytes() + " exceeds limit of " + bytesMax + " bytes");
    }

    /** Returns the selection if the table has the families that it names. */
    public Selection checked(Selection selection) throws NoSuchColumnFamilyException {
        for (Bytes family : selection.families().keySet()) {
            if (spec().family(family).isEmpty()) {
                throw noFamily(family);
            }
        }
        return selection;
    }

    private NoSuchColumnFamilyException noFamily(Object family) {
        String name = family instanceof Bytes bytes ? bytes.utf8() : String.valueOf(family);
        return new NoSuchColumnFamilyException("Column family " + name + " does not exist in region "
                + description.getRegionNameAsString() + " in table " + Descriptors.descriptor(spec()));
    }

    private <T> T written(T result, @Nullable Throwable failure) {
        writesUnderWay.decrementAndGet();
        if (failure != null) {
            throw new CompletionException(failure(failure));
        }
        return result;
    }

    /**
     * Translates a failure for the client. If the table was dropped or replaced meanwhile, the client must locate the
     * region again.
     */
    public IOException failure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof CellException refused && refused.error() == CellError.NO_SUCH_FAMILY) {
            return noFamily(refused.facts().getOrDefault("family", Bytes.EMPTY));
        }
        if (cause instanceof CellException refused && refused.error() == CellError.COMPUTED_TOO_LARGE) {
            return new DoNotRetryIOException("Cell with size " + refused.facts().get("size") + " exceeds limit of "
                    + refused.facts().get("limit") + " bytes in region " + description.getRegionNameAsString());
        }
        IOException known = Failures.of(failure);
        return known instanceof TableNotFoundException ? closing() : known;
    }

    private NotServingRegionException closing() {
        return new NotServingRegionException(description.getRegionNameAsString() + " is closing");
    }

    void open() {
        closed = false;
    }

    /** From now on writes are refused. */
    void close() {
        closed = true;
    }

    /**
     * Counts the bytes of a write that is done, by which {@code SizeSplits} decides when to measure the region. If counted
     * earlier, a measurement could miss rows that count as measured, and the region would grow well beyond its limit.
     */
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

    /** The approximate bytes written since this object was created. */
    public long writtenBytes() {
        return writtenBytes.sum();
    }

    /**
     * The size when it was last known, and what was written since. Too large after overwrites and deletes, and too small for a
     * region with data from before the server's start, until it is measured.
     */
    public long estimatedBytes() {
        Size known = size;
        return known.bytes() + writtenBytes() - known.writtenBytes();
    }

    /**
     * Sets the size that the region had when so many bytes were written: at the start of a measurement, which may have missed
     * later writes.
     */
    public void measured(long bytes, long writtenBytes) {
        size = new Size(bytes, writtenBytes);
    }

    public long readRequests() {
        return readRequests.sum();
    }

    public long writeRequests() {
        return writeRequests.sum();
    }

    /** Returns the row if the region contains it; otherwise the client's region cache is stale. */
    public Bytes checked(Bytes row) throws WrongRegionException {
        if (!range.contains(row)) {
            throw new WrongRegionException("Requested row " + row + " is out of range of the region "
                    + description.getRegionNameAsString() + ", startKey=" + range.from() + ", endKey=" + range.to());
        }
        return row;
    }
}
