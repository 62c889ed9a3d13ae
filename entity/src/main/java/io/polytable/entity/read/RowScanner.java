package io.polytable.entity.read;

import io.polytable.entity.cell.ReadAs;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowFilter;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.session.Futures;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.ValueMode;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A running scan, under the layout it started with. Not thread safe; close it. */
public final class RowScanner implements Iterator<EntityRow>, AutoCloseable {
    private static final int TOKEN_VERSION = 1;

    /** A row, and the row that the filter evaluates. */
    private record Fetched(StoredRow row, StoredRow deciding) {}

    private final TableReader reader;
    private final ReadPlan shown;
    private final ReadPlan read;

    /** Set if the filter's columns are read separately from the requested ones. */
    private final Optional<ReadPlan> decider;

    private final Optional<RowFilter> filter;
    private final RowCursor cursor;
    private final int batchRows;
    private final Deque<Fetched> fetched = new ArrayDeque<>();
    private long left;
    private boolean ended;
    private @Nullable EntityRow ready;
    private @Nullable Bytes last;

    RowScanner(TableReader reader, LayoutState state, DataRequest request, ScanOptions options) {
        this.reader = reader;
        filter = options.filter();
        shown = new ReadPlan(state, request);
        DataRequest needed = filter.map(RowFilter::needs).orElse(DataRequest.EMPTY);
        boolean isTogether = needed.columns().isEmpty() || isMergeable(request, needed);
        decider = isTogether ? Optional.empty() : Optional.of(new ReadPlan(state, needed));
        read = needed.columns().isEmpty() || !isTogether ? shown : new ReadPlan(state, widened(state, request, needed));
        batchRows = options.batchRows();
        left = options.limit();
        Optional<Bytes> after = options.token().map(RowScanner::rowOf);
        cursor = state.stored().scan(new ScanQuery(options.range(), options.partition(), read.query(), after));
    }

    /**
     * Whether one read can serve both. It cannot if the request restricts a column that the filter needs, by pages,
     * times or without values.
     */
    private static boolean isMergeable(DataRequest request, DataRequest needed) {
        if (request.columns().isEmpty()) {
            return true;
        }
        return request.times().equals(CellTimes.ALL)
                && needed.columns().keySet().stream().allMatch(column -> isMergeable(request, column));
    }

    private static boolean isMergeable(DataRequest request, ColumnName needed) {
        Optional<ColumnRequest> own = request.of(needed);
        if (own.isEmpty()) {
            return !needed.isFamily()
                    || request.columns().keySet().stream()
                            .noneMatch(column -> column.family().equals(needed.family()));
        }
        ColumnRequest wanted = own.get();
        return !wanted.isPaged()
                && wanted.filter().isEmpty()
                && wanted.values() == ValueMode.FULL
                && wanted.as().equals(ReadAs.DEFAULT);
    }

    /** The columns that the scan reads for the filter, without losing entities that have only requested cells. */
    private static DataRequest widened(LayoutState state, DataRequest request, DataRequest needed) {
        if (!request.columns().isEmpty()) {
            return request.merge(needed);
        }
        DataRequest all = DataRequest.EMPTY;
        for (LayoutColumns.Family family : state.columns().families()) {
            ColumnName name = ColumnName.family(family.layout().name());
            boolean isNeeded = needed.columns().keySet().stream()
                    .anyMatch(column -> column.family().equals(name.family()));
            ColumnRequest whole = ColumnRequest.of(name);
            all = all.with(isNeeded ? whole : whole.paged(1));
        }
        return all;
    }

    @Override
    public boolean hasNext() {
        while (ready == null && left > 0 && !ended) {
            if (fetched.isEmpty()) {
                fetch();
                ended = fetched.isEmpty();
                continue;
            }
            ready = accepted(fetched.removeFirst());
        }
        return ready != null;
    }

    private void fetch() {
        List<StoredRow> rows = cursor.next((int) Math.min(batchRows, Math.max(1, filter.isEmpty() ? left : batchRows)));
        if (decider.isEmpty()) {
            rows.forEach(row -> fetched.add(new Fetched(row, row)));
            return;
        }
        List<Bytes> keys = rows.stream().map(StoredRow::rowKey).toList();
        List<StoredRow> deciding =
                Futures.join(read.state().stored().getAll(keys, decider.get().query()));
        for (int i = 0; i < rows.size(); i++) {
            fetched.add(new Fetched(rows.get(i), deciding.get(i)));
        }
    }

    private @Nullable EntityRow accepted(Fetched next) {
        StoredRow row = next.row();
        EntityId id = read.state().keys().ofRowKey(row.rowKey());
        ReadPlan looked = decider.orElse(read);
        if (filter.isPresent() && !filter.get().accepts(reader.row(id, looked, next.deciding()))) {
            last = row.rowKey();
            return null;
        }
        // With a filter the row may be here only because of the filter's own columns.
        if (read != shown && !shown.isIn(row)) {
            last = row.rowKey();
            return null;
        }
        return reader.row(id, shown, row);
    }

    @Override
    public EntityRow next() {
        if (!hasNext() || ready == null) {
            throw new NoSuchElementException();
        }
        EntityRow row = ready;
        ready = null;
        left--;
        last = row.id().rowKey();
        return row;
    }

    /**
     * The token with which another scan of the same request and options resumes after the last row; empty before the
     * first.
     */
    public Optional<String> token() {
        Bytes row = last;
        if (row == null) {
            return Optional.empty();
        }
        Bytes token = new BytesWriter().u8(TOKEN_VERSION).sized(row).toBytes();
        return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(token.toByteArray()));
    }

    private static Bytes rowOf(String token) {
        try {
            BytesReader in = new BytesReader(Bytes.of(Base64.getUrlDecoder().decode(token)));
            if (in.u8() == TOKEN_VERSION) {
                Bytes row = in.sized().copy();
                in.end();
                return row;
            }
        } catch (IllegalArgumentException | StoreException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a scan's token", Map.of("token", token), e);
        }
        throw new EntityException(EntityError.BAD_REQUEST, "Not a scan's token", Map.of("token", token));
    }

    /** An iterator over the remaining rows. */
    public Iterable<EntityRow> rows() {
        return () -> this;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
